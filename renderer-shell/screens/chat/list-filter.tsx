import { NativeSelect } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { api } from '../../../service/contract/index.ts';
import type { ListFilter } from '../../state/chat/conversation-list.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';

/** Filters by folder or archive; hidden while no conversation is in either. */
export function ListFilterField() {
  const { t } = useTranslation();
  const { chats, client } = useShell();
  const filter = useStore(chats.filter);
  const { atMs } = useStore(chats.list.state);
  const [folders, setFolders] = useState<readonly string[]>([]);
  const [hasArchive, setArchive] = useState(false);
  // Read together with the list, which is read again after every change.
  useEffect(() => {
    const query = { archived: 'true', limit: '1' } as const;
    const reading = [
      client
        .call(api.conversations.folders)
        .then((found) => setFolders(found.map(({ name }) => name))),
      client.call(api.conversations.list, { query }).then(({ length }) => setArchive(length > 0)),
    ];
    void Promise.allSettled(reading);
  }, [client, atMs]);
  if (filter.kind === 'all' && folders.length === 0 && !hasArchive) return null;
  // The chosen folder stays in the list even after its last conversation was archived.
  const names = filter.kind === 'folder' ? [...new Set([...folders, filter.name])] : folders;
  return (
    <NativeSelect
      className="list-filter"
      size="xs"
      aria-label={t('chat.filter')}
      value={valueOf(filter)}
      onChange={(event) => chats.show(filterOf(event.currentTarget.value))}
      data={[
        { value: 'all', label: t('chat.all') },
        ...names.map((name) => ({ value: `${prefix}${name}`, label: name })),
        { value: 'archive', label: t('chat.archived') },
      ]}
    />
  );
}

const prefix = 'folder:';

const valueOf = (filter: ListFilter): string =>
  filter.kind === 'folder' ? `${prefix}${filter.name}` : filter.kind;

function filterOf(value: string): ListFilter {
  if (value.startsWith(prefix)) return { kind: 'folder', name: value.slice(prefix.length) };
  return { kind: value === 'archive' ? 'archive' : 'all' };
}
