import { type ReactNode, useState } from 'react';

interface ListedItemProps {
  head: ReactNode;
  /** Visible while the item is collapsed. */
  gist?: string;
  description: string;
  children: ReactNode;
}

/** One item that a server lists; its content is rendered when it is opened. */
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
