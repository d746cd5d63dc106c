import { Button, Group } from '@mantine/core';

interface RowAction {
  text: string;
  /** Names the edited or removed entry for screen readers. */
  label: string;
  onClick: () => void;
}

interface EditableRowProps {
  title: string;
  text: string;
  edit: RowAction;
  remove: RowAction;
}

/** A list entry of the settings, with buttons to edit and remove it. */
export function EditableRow({ title, text, edit, remove }: EditableRowProps) {
  return (
    <li>
      <div>
        <p className="plain untrusted">{title}</p>
        <p className="plain quiet untrusted">{text}</p>
      </div>
      <Group gap="xs">
        <RowButton {...edit} />
        <RowButton {...remove} className="danger-item" />
      </Group>
    </li>
  );
}

function RowButton({ text, label, onClick, className = '' }: RowAction & { className?: string }) {
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={label}
      className={className}
      onClick={onClick}
    >
      {text}
    </Button>
  );
}
