import { Age } from '../../ui/frame/age.tsx';
import { Button, Skeleton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Memory } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { SearchedList } from '../../state/searched-list.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { ForgetDialog } from './forget-dialog.tsx';

const typingMs = 200;

/** Lists the memories, with a search and buttons to delete them. */
export function MemoryList() {
  const { t } = useTranslation();
  const { client } = useShell();
  const [list] = useState(
    () =>
      new SearchedList<Memory>({
        read: (query) => client.call(api.memories.list, { query }),
        idOf: ({ id }) => id,
      }),
  );
  useEffect(() => void list.refresh(), [list]);
  const [text, setText] = useState('');
  const search = useDebouncedCallback((query: string) => void list.search(query), typingMs);
  const [forgetting, setForgetting] = useState<Memory | 'all' | null>(null);
  const { query, items } = useStore(list.state);
  const hasAny = items.length > 0 || query !== '' || text !== '';
  return (
    <section aria-label={t('memory.title')}>
      <div className="settings-line">
        <h3>{t('memory.title')}</h3>
        {hasAny && (
          <Button size="compact-xs" variant="default" onClick={() => setForgetting('all')}>
            {t('memory.forgetAll')}
          </Button>
        )}
      </div>
      {hasAny && (
        <TextInput
          size="xs"
          leftSection={<IconSearch size={14} aria-hidden />}
          aria-label={t('memory.search')}
          placeholder={t('memory.search')}
          value={text}
          onChange={({ currentTarget: { value } }) => {
            setText(value);
            search(value);
          }}
        />
      )}
      <Memories list={list} onForget={setForgetting} />
      {forgetting !== null && (
        <ForgetDialog
          memory={forgetting === 'all' ? null : forgetting}
          onForgotten={async () => {
            if (forgetting === 'all') setText('');
            await list.search(forgetting === 'all' ? '' : query);
          }}
          onClose={() => setForgetting(null)}
        />
      )}
    </section>
  );
}

interface MemoriesProps {
  list: SearchedList<Memory>;
  onForget: (memory: Memory) => void;
}

function Memories({ list, onForget }: MemoriesProps) {
  const { t } = useTranslation();
  const { kind, query, items, hasMore, error, atMs } = useStore(list.state);
  const action = useAction();
  if (kind === 'loading') return <Skeleton className="late" height={80} />;
  if (kind === 'failed') return <ErrorAlert error={error} onRetry={() => void list.refresh()} />;
  if (items.length === 0)
    return (
      <p className="plain setting-text">
        {query === '' ? t('memory.none') : t('memory.noneFound', { query })}
      </p>
    );
  return (
    <>
      <ul className="memories">
        {items.map((memory) => (
          <MemoryRow key={memory.id} memory={memory} nowMs={atMs} onForget={onForget} />
        ))}
      </ul>
      {action.error !== null && <ErrorAlert error={action.error} />}
      {hasMore && (
        <Button
          size="xs"
          variant="subtle"
          loading={action.busy}
          onClick={() => void action.run(() => list.more())}
        >
          {t('memory.older')}
        </Button>
      )}
    </>
  );
}

interface MemoryRowProps {
  memory: Memory;
  nowMs: number;
  onForget: (memory: Memory) => void;
}

function MemoryRow({ memory, nowMs, onForget }: MemoryRowProps) {
  const { t } = useTranslation();
  const { text, tags, createdAt } = memory;
  return (
    <li>
      <div>
        <p className="plain quoted untrusted">{text}</p>
        <p className="plain quiet">
          <Age at={createdAt} nowMs={nowMs} />
          {tags.length > 0 && <span className="untrusted"> · {tags.join(', ')}</span>}
        </p>
      </div>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={t('memory.forgetOne', { text: text.slice(0, 60) })}
        onClick={() => onForget(memory)}
      >
        {t('memory.forget')}
      </Button>
    </li>
  );
}
