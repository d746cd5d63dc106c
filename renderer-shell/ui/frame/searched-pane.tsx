import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import type { SearchedList } from '../../state/searched-list.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { ErrorAlert } from './error-alert.tsx';
import { ListPane } from './list-pane.tsx';
import { RowList } from './row-list.tsx';
import { useAction } from './use-action.ts';
import { UnreadList } from './unread-list.tsx';

const typingMs = 200;

interface SearchedPaneProps<T> {
  list: SearchedList<T>;
  hidden: boolean;
  labels: { title: string; search: string; create: string };
  /** Starts a new item. */
  onCreate: () => void;
  /** The rows, and what follows them. */
  children: ReactNode;
}

/** The list beside the content of an area, with a search by the service. */
export function SearchedPane<T>({
  list,
  hidden,
  labels,
  onCreate,
  children,
}: SearchedPaneProps<T>) {
  const { view } = useShell();
  const search = useSearch(list, labels.search);
  const create = () => {
    onCreate();
    view.patch({ listOpen: false });
  };
  return (
    <ListPane
      title={labels.title}
      hidden={hidden}
      search={search}
      action={
        <Tooltip label={labels.create}>
          <ActionIcon variant="subtle" color="gray" aria-label={labels.create} onClick={create}>
            <IconPlus size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      }
    >
      {children}
    </ListPane>
  );
}

/** The search field of a list; the list is read when it is shown. */
export function useSearch<T>(list: SearchedList<T>, label: string) {
  const [value, setValue] = useState(() => list.state.get().query);
  const search = useDebouncedCallback((text: string) => void list.search(text), typingMs);
  useEffect(() => void list.refresh(), [list]);
  const onChange = (text: string) => {
    setValue(text);
    search(text);
  };
  return { label, value, onChange };
}

interface SearchedRowsProps<T> {
  list: SearchedList<T>;
  idOf: (item: T) => string;
  /** `nowMs` is the time at which the list was read. */
  row: (item: T, nowMs: number) => ReactNode;
  labels: { none: string; noneFound: (query: string) => string; older: string };
}

export function SearchedRows<T>({ list, idOf, row, labels }: SearchedRowsProps<T>) {
  const { kind, query, items, hasMore, error, atMs } = useStore(list.state);
  const action = useAction();
  if (kind === 'loading' || kind === 'failed')
    return <UnreadList state={{ kind, error }} onRetry={() => void list.refresh()} />;
  if (items.length === 0)
    return (
      <p className="list-note">{query.trim() === '' ? labels.none : labels.noneFound(query)}</p>
    );
  return (
    <RowList items={items} idOf={idOf} row={(item) => row(item, atMs)}>
      {hasMore && (
        <Button
          variant="subtle"
          size="xs"
          fullWidth
          loading={action.busy}
          onClick={() => void action.run(() => list.more())}
        >
          {labels.older}
        </Button>
      )}
      {action.error !== null && <ErrorAlert error={action.error} />}
    </RowList>
  );
}
