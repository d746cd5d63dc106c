import { ActionIcon, Tooltip } from '@mantine/core';
import type { ComponentType } from 'react';

interface IconActionProps {
  icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  /** Tooltip and accessible name. */
  label: string;
  disabled?: boolean;
  onClick: () => void;
}

/** A small button with an icon only. */
export function IconAction({ icon: Icon, label, disabled = false, onClick }: IconActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size="sm"
        variant="subtle"
        color="gray"
        aria-label={label}
        disabled={disabled}
        onClick={onClick}
      >
        <Icon size={15} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
