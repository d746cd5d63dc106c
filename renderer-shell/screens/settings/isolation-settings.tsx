import { Button, Group, Modal, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { IsolationReport } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { Setting } from '../../ui/forms/setting.tsx';
import { hostMessage } from '../../core/messages/host-message.ts';

interface IsolationSettingsProps {
  /** Resolves with true if it was stored. */
  onChange: (patch: { unsandboxedPlugins: boolean }) => Promise<boolean>;
}

/**
 * Shows how plugin workers are isolated, and lets the user run them without a sandbox if none
 * works.
 */
export function IsolationSettings({ onChange }: IsolationSettingsProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const load = useCallback(() => client.call(api.host.isolation), [client]);
  const { state, refresh } = useLoaded(load);
  const report = state.kind === 'ready' ? state.value : null;
  return (
    <section>
      <h2>{t('isolation.title')}</h2>
      {state.kind === 'loading' && <Skeleton className="late" height={60} />}
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
      {report && <Report report={report} />}
      {/* If it was turned on on another machine, it can be turned off on every machine. */}
      {report && (report.compatibilityMode || report.unsandboxedPlugins) && (
        <UnsandboxedSetting
          onChange={async (unsandboxedPlugins) => {
            if (await onChange({ unsandboxedPlugins })) refresh();
          }}
        />
      )}
    </section>
  );
}

function Report({ report }: { report: IsolationReport }) {
  const { t } = useTranslation();
  const { backend, reduced, filesystem, unsandboxedPlugins, reason, advice } = report;
  const { reasonMessage, adviceMessage } = report;
  const level = isolationLevelOf(report);
  const text = reduced && filesystem === 'full' ? 'incomplete' : level;
  const tone = report.sandboxed ? 'good' : 'warn';
  return (
    <Alert tone={tone} title={t(`isolation.${level}`)}>
      <p className="plain">
        {t(unsandboxedPlugins ? 'isolation.offText' : `isolation.${text}Text`, { backend })}
      </p>
      {reason !== undefined && (
        <p className="plain untrusted">{hostMessage(reasonMessage, reason)}</p>
      )}
      {advice !== undefined && (
        <p className="plain untrusted">{hostMessage(adviceMessage, advice)}</p>
      )}
    </Alert>
  );
}

/** On Windows a job object, or ending process trees, is enough to start every plugin. */
function isolationLevelOf(report: IsolationReport): 'sandboxed' | 'reduced' | 'refused' | 'none' {
  const { platform, backend, sandboxed, reduced, unsandboxedPlugins } = report;
  if (sandboxed) return 'sandboxed';
  if (reduced) return 'reduced';
  return backend === 'none' && platform !== 'win32' && !unsandboxedPlugins ? 'refused' : 'none';
}

function UnsandboxedSetting({ onChange }: { onChange: (on: boolean) => Promise<void> }) {
  const { t } = useTranslation();
  const { settings } = useShell();
  const { unsandboxedPlugins } = useStore(settings);
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Setting label={t('isolation.unsandboxed')} text={t('isolation.unsandboxedText')}>
        {(labelId) => (
          <Switch
            aria-labelledby={labelId}
            checked={unsandboxedPlugins}
            onChange={(event) =>
              event.currentTarget.checked ? setAsking(true) : void onChange(false)
            }
          />
        )}
      </Setting>
      <Modal
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('isolation.ask')}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        <Stack gap="md">
          <Text size="sm">{t('isolation.askText')}</Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
              {t('action.cancel')}
            </Button>
            <Button
              color="red.9"
              onClick={() => {
                setAsking(false);
                void onChange(true);
              }}
            >
              {t('isolation.agree')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
