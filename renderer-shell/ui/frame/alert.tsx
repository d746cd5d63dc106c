import type { ReactNode } from 'react';

interface AlertProps {
  tone: 'good' | 'warn' | 'bad' | 'accent';
  title?: string;
  /** Screen readers announce an `alert` at once, a `status` at the next pause. */
  role?: 'alert' | 'status' | 'note';
  children?: ReactNode;
}

/** A message to the user in its context. */
export function Alert({ tone, title, role = 'note', children }: AlertProps) {
  return (
    <div className="note" data-tone={tone} role={role}>
      {title !== undefined && <p className="note-title untrusted">{title}</p>}
      {children}
    </div>
  );
}

/** A short status label. */
export function Tag({ tone, children }: { tone?: AlertProps['tone']; children: string }) {
  return (
    <span className="tag" data-tone={tone}>
      {children}
    </span>
  );
}
