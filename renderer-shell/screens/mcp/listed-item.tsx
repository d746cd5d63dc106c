import { type ReactNode, useState } from 'react';

interface ListedItemProps {
  head: ReactNode;
  /** Seen while it is closed. */
  gist?: string;
  description: string;
  children: ReactNode;
}

/** One thing that a server lists; what it holds is made when it is opened. */
export function ListedItem({ head, gist, description, children }: ListedItemProps) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <details className="mcp-item" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {head}
          {!open && gist !== undefined && <span className="mcp-gist untrusted">{gist}</span>}
        </summary>
        {open && (
          <div className="mcp-item-body">
            {description !== '' && <p className="plain mcp-words untrusted">{description}</p>}
            {children}
          </div>
        )}
      </details>
    </li>
  );
}
