import type { ReactNode } from 'react';

interface ListHeadProps {
  title: string;
  /** A button that adds an item to the list. */
  action?: ReactNode;
}

export function ListHead({ title, action }: ListHeadProps) {
  return (
    <div className="list-head">
      <h2>{title}</h2>
      {action}
    </div>
  );
}
