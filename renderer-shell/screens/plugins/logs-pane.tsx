import { ActionIcon, Select } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import type { LogFeed } from '../../state/log-feed.ts';
import { createLogFeed, isAtLeast } from '../../state/log-feed.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../store.ts';
import { LogLines } from './log-lines.tsx';

const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR'];

/** The log of a plugin, live. */
export function LogsPane({ plugin }: { plugin: MarketplacePlugin }) {
  const { t } = useTranslation();
  const { client, view } = useShell();
  const [least, setLeast] = useState('TRACE');
  const { id } = plugin;
  const feed = useMemo(() => createLogFeed(client, id), [client, id]);
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
          value={least}
          onChange={(value) => setLeast(value ?? 'TRACE')}
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
      <LogBody feed={feed} least={least} />
    </aside>
  );
}

function LogBody({ feed, least }: { feed: LogFeed; least: string }) {
  const { t } = useTranslation();
  const { broken, events } = useStore(feed.state);
  const shown = events.filter(({ level }) => isAtLeast(level, least));
  return (
    <>
      {broken && (
        <p className="details-note" role="status">
          {t('logs.broken')}
        </p>
      )}
      {shown.length === 0 && (
        <p className="details-note">{t(events.length === 0 ? 'logs.none' : 'logs.noneOfLevel')}</p>
      )}
      <LogLines events={shown} />
    </>
  );
}
