import { Button, CopyButton, Group, Skeleton } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Diagnostics } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { FactTable } from '../../ui/frame/fact-table.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import { exactTime } from '../../core/messages/amounts.ts';
import { hostMessage } from '../../core/messages/host-message.ts';
import { SaveSetting } from './save-setting.tsx';

/** Shows missing programs with installation hints, the isolation of workers, and recent errors. */
export function DiagnosticsSettings() {
  const { t } = useTranslation();
  const { client } = useShell();
  const load = useCallback(() => client.call(api.host.diagnostics), [client]);
  const { state, refresh } = useLoaded(load);
  return (
    <section aria-label={t('sections.diagnostics')}>
      <h2>{t('sections.diagnostics')}</h2>
      {state.kind === 'loading' && <Skeleton className="late" height={160} />}
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
      {state.kind === 'ready' && <Report report={state.value} onRefresh={refresh} />}
    </section>
  );
}

function Report({ report, onRefresh }: { report: Diagnostics; onRefresh: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <Group gap="xs" mb="sm">
        <Button size="xs" variant="default" onClick={onRefresh}>
          {t('diagnostics.refresh')}
        </Button>
        <Copy value={JSON.stringify(report, null, 2)} label={t('diagnostics.copyAll')} />
      </Group>
      <SaveReport />
      <MissingPrograms missing={report.missing} />
      <Isolation isolation={report.isolation} />
      <RecentErrors errors={report.errors} />
    </>
  );
}

/** Saves a report to attach to a bug report. */
function SaveReport() {
  const { t } = useTranslation();
  const { client } = useShell();
  return (
    <SaveSetting
      label={t('diagnostics.report')}
      text={t('diagnostics.reportText')}
      button={t('diagnostics.reportSave')}
      saved={t('diagnostics.reportSaved')}
      name="plugin-host-report"
      extension="json"
      open={(signal) => client.open(api.host.report, { signal })}
    />
  );
}

function Copy({ value, label }: { value: string; label: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button size="xs" variant="default" onClick={copy}>
          {copied ? t('action.copied') : label}
        </Button>
      )}
    </CopyButton>
  );
}

function MissingPrograms({ missing }: { missing: Diagnostics['missing'] }) {
  const { t } = useTranslation();
  if (missing.length === 0) return <Alert tone="good" title={t('diagnostics.complete')} />;
  return (
    <>
      <h3>{t('diagnostics.missing')}</h3>
      <ul className="running-parts" aria-label={t('diagnostics.missing')}>
        {missing.map((piece, index) => (
          <MissingProgram key={index} piece={piece} />
        ))}
      </ul>
    </>
  );
}

function MissingProgram({ piece }: { piece: Diagnostics['missing'][number] }) {
  const { t } = useTranslation();
  const fix = hostMessage(piece.fixMessage, piece.fix);
  return (
    <li>
      <p className="untrusted">{hostMessage(piece.whatMessage, piece.what)}</p>
      <p className="running-more untrusted">{hostMessage(piece.whyMessage, piece.why)}</p>
      <div className="settings-fix">
        <code className="running-command untrusted">{fix}</code>
        <Copy value={fix} label={t('action.copy')} />
      </div>
    </li>
  );
}

function Isolation({ isolation }: { isolation: Diagnostics['isolation'] }) {
  const { t } = useTranslation();
  const { backend, filesystem, network, lifecycleIsolation, resourceLimits, reason, advice } =
    isolation;
  const { reasonMessage, adviceMessage } = isolation;
  /** A host of another version may have other values. */
  const valueText = (name: string, value: string): string =>
    t(`diagnostics.value.${name}.${value}`, { defaultValue: value });
  const facts = [
    ['backend', backend],
    ['filesystem', valueText('filesystem', filesystem)],
    ['network', valueText('network', network)],
    ['lifecycle', valueText('lifecycle', lifecycleIsolation)],
    ['limits', valueText('limits', resourceLimits)],
    ['reason', hostMessage(reasonMessage, reason ?? '')],
    ['advice', hostMessage(adviceMessage, advice ?? '')],
  ] as const;
  return (
    <>
      <h3>{t('isolation.title')}</h3>
      <FactTable facts={facts.map(([name, value]) => [t(`diagnostics.${name}`), value])} />
    </>
  );
}

function RecentErrors({ errors }: { errors: Diagnostics['errors'] }) {
  const { t, language } = useTranslation();
  return (
    <>
      <h3>{t('diagnostics.errors')}</h3>
      {errors.length === 0 && <p className="plain setting-text">{t('diagnostics.noErrors')}</p>}
      <ul className="running-parts" aria-label={t('diagnostics.errors')}>
        {[...errors].reverse().map(({ at, level, logger, message }, index) => (
          <li key={index}>
            <p className="running-more untrusted">
              {exactTime(at, language)} · {level} · {logger}
            </p>
            <p className="settings-message untrusted">{message}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
