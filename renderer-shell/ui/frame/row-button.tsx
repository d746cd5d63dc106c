import type { ReactNode } from 'react';

interface RowButtonProps {
  chosen: boolean;
  onClick: () => void;
  dimmed?: boolean;
  title?: string | undefined;
  children: ReactNode;
}

/** A row of a list beside the content, which opens its item. */
export function RowButton({ chosen, onClick, dimmed, title, children }: RowButtonProps) {
  return (
    <button
      type="button"
      className="row"
      data-chosen={chosen}
      data-dimmed={dimmed}
      aria-current={chosen ? 'true' : undefined}
      title={title}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
