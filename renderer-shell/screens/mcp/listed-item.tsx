import { type ReactNode, useState } from 'react';

interface ListedItemProps {
  head: ReactNode;
  /** Visible while the item is collapsed. */
  summary?: string;
  description: string;
  children: ReactNode;
}

/** One item that a server lists; its content is rendered when it is opened. */
export function ListedItem({ head, summary, description, children }: ListedItemProps) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <details className="mcp-item" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {head}
          {!open && summary !== undefined && <span className="mcp-gist untrusted">{summary}</span>}
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
