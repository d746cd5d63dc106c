import { ActionIcon, Select, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import type { LogFeed } from '../../state/log-feed.ts';
import { createLogFeed, isAtLeast } from '../../state/log-feed.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { LogLines } from './log-lines.tsx';

const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR'];

/** Shows the live log of a plugin. */
export function LogsPane({ plugin: { id } }: { plugin: MarketplacePlugin }) {
  const { client } = useShell();
  const feed = useMemo(() => createLogFeed(client, api.plugins.logStream, id), [client, id]);
  return <LogDetails feed={feed} none="logs.none" />;
}

interface LogDetailsProps {
  feed: LogFeed;
  /** Message key of the placeholder for an empty log. */
  none: string;
}

/** Shows a log beside the content: its level, a search, and its live lines. */
export function LogDetails({ feed, none }: LogDetailsProps) {
  const { t } = useTranslation();
  const { view } = useShell();
  const [minLevel, setMinLevel] = useState('TRACE');
  const [query, setQuery] = useState('');
  useEffect(() => feed.open(), [feed]);
  const levels = useMemo(() => LEVELS.map((value) => ({ value, label: t(`level.${value}`) })), [t]);

  return (
    <aside className="details" aria-label={t('logs.title')}>
      <header className="details-head">
        <h2>{t('logs.title')}</h2>
        <Select
          size="xs"
          w={150}
          aria-label={t('logs.level')}
          data={levels}
          value={minLevel}
          onChange={(value) => setMinLevel(value ?? 'TRACE')}
          allowDeselect={false}
          comboboxProps={{ position: 'bottom-end' }}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('logs.close')}
          onClick={() => view.patch({ logsOpen: false })}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </header>
      <TextInput
        className="details-search"
        size="xs"
        aria-label={t('logs.search')}
        placeholder={t('logs.search')}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      <LogBody feed={feed} minLevel={minLevel} query={query} none={none} />
    </aside>
  );
}

interface LogBodyProps extends LogDetailsProps {
  minLevel: string;
  query: string;
}

function LogBody({ feed, minLevel, query, none }: LogBodyProps) {
  const { t } = useTranslation();
  const { broken, events } = useStore(feed.state);
  const needle = query.trim().toLowerCase();
  const visible = events
    .filter(({ level }) => isAtLeast(level, minLevel))
    .filter(({ logger, message }) => `${logger ?? ''} ${message}`.toLowerCase().includes(needle));
  const isNothing = events.length === 0;
  return (
    <>
      {broken && (
        <p className="details-note" role="status">
          {t('logs.broken')}
        </p>
      )}
      {visible.length === 0 && (
        <p className="details-note">
          {t(isNothing ? none : needle === '' ? 'logs.noneOfLevel' : 'logs.noneFound')}
        </p>
      )}
      <LogLines events={visible} />
    </>
  );
}
