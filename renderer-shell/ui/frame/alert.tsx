import type { ReactNode } from 'react';

interface AlertProps {
  tone: 'good' | 'warn' | 'bad' | 'accent';
  title?: string;
  /** `alert` is read out at once, `status` when there is a pause. */
  role?: 'alert' | 'status' | 'note';
  children?: ReactNode;
}

/** Something a person should read, where it belongs. */
export function Alert({ tone, title, role = 'note', children }: AlertProps) {
  return (
    <div className="note" data-tone={tone} role={role}>
      {title !== undefined && <p className="note-title untrusted">{title}</p>}
      {children}
    </div>
  );
}

/** One word about the state of something. */
export function Tag({ tone, children }: { tone?: AlertProps['tone']; children: string }) {
  return (
    <span className="tag" data-tone={tone}>
      {children}
    </span>
  );
}
