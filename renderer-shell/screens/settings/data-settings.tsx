import { Button, NumberInput, Skeleton } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { SettingsPatch, Snapshot } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { exactTime, sizeText } from '../../core/messages/amounts.ts';
import { ResetDialog } from './reset-dialog.tsx';
import { SaveSetting } from './save-setting.tsx';
import { Setting } from '../../ui/forms/setting.tsx';

/** Shows the database with its backups, and the way to switch to another one. */
export function DataSettings({ onChange }: { onChange: (patch: SettingsPatch) => void }) {
  const { t } = useTranslation();
  const { client } = useShell();
  const load = useCallback(
    async () => ({
      database: (await client.call(api.host.diagnostics)).database,
      snapshots: await client.call(api.settings.snapshots),
    }),
    [client],
  );
  const { state, refresh } = useLoaded(load);
  const [isAsking, setAsking] = useState(false);
  return (
    <section aria-label={t('sections.data')}>
      <h2>{t('sections.data')}</h2>
      {state.kind === 'loading' && <Skeleton className="late" height={80} />}
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
      {state.kind === 'ready' && (
        <p className="plain setting-text">{t('data.database', state.value.database)}</p>
      )}
      <BackupSetting />
      <RetentionSetting onChange={onChange} />
      <Setting label={t('data.reset')} text={t('data.resetText')}>
        {(labelId) => (
          <Button
            size="xs"
            variant="default"
            className="danger-item"
            aria-describedby={labelId}
            onClick={() => setAsking(true)}
          >
            {t('data.resetAsk')}
          </Button>
        )}
      </Setting>
      {state.kind === 'ready' && <Snapshots snapshots={state.value.snapshots} />}
      {isAsking && <ResetDialog onClose={() => setAsking(false)} />}
    </section>
  );
}

const maxRetentionDays = 3_650;

function RetentionSetting({ onChange }: { onChange: (patch: SettingsPatch) => void }) {
  const { t } = useTranslation();
  const { runRetentionDays } = useStore(useShell().settings);
  const [days, setDays] = useState<number | string>(runRetentionDays);
  const store = () => {
    const next = typeof days === 'number' ? days : runRetentionDays;
    setDays(next);
    if (next !== runRetentionDays) onChange({ runRetentionDays: next });
  };
  return (
    <Setting label={t('data.retention')} text={t('data.retentionText')}>
      {(labelId) => (
        <NumberInput
          size="xs"
          w={120}
          aria-labelledby={labelId}
          suffix={t('data.retentionUnit')}
          min={0}
          max={maxRetentionDays}
          allowDecimal={false}
          clampBehavior="strict"
          value={days}
          onChange={setDays}
          onBlur={store}
        />
      )}
    </Setting>
  );
}

function BackupSetting() {
  const { t } = useTranslation();
  const { client } = useShell();
  return (
    <SaveSetting
      label={t('data.backup')}
      text={t('data.backupText')}
      button={t('data.backupSave')}
      saved={t('data.backupDone')}
      name="host-backup"
      extension="zip"
      open={(signal) => client.open(api.settings.backup, { signal })}
    />
  );
}

function Snapshots({ snapshots }: { snapshots: Snapshot[] }) {
  const { t, language } = useTranslation();
  return (
    <>
      <h3>{t('data.snapshots')}</h3>
      <p className="plain setting-text">
        {t(snapshots.length === 0 ? 'data.noSnapshots' : 'data.snapshotsText')}
      </p>
      <ul className="running-parts" aria-label={t('data.snapshots')}>
        {snapshots.map(({ name, createdAt, sizeBytes, fromVersion }) => (
          <li key={name}>
            <code className="untrusted">{name}</code>
            <p className="running-more">
              {exactTime(createdAt, language)} · {sizeText(sizeBytes, language)} · {fromVersion}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}
