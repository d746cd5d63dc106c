import { Skeleton } from '@mantine/core';
import { ErrorAlert } from './error-alert.tsx';

interface UnreadListProps {
  state: { kind: 'loading' | 'failed'; error?: unknown };
  onRetry: () => void;
}

/** Shown in place of a list that is loading or could not be loaded. */
export function UnreadList({ state, onRetry }: UnreadListProps) {
  if (state.kind === 'loading') return <Skeleton className="late" height={120} m="sm" w="auto" />;
  return (
    <div className="list-note">
      <ErrorAlert error={state.error} onRetry={onRetry} />
    </div>
  );
}
