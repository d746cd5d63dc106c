import './translations.ts';
import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { SubmitEvent } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { ConnectionTest, SetupStatus } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { Alert } from '../../ui/frame/alert.tsx';
import type { AppearanceStore } from '../../core/theme/appearance-store.ts';
import type { Session } from '../../core/session/session.ts';
import { exactTime } from '../../core/messages/amounts.ts';
import { StartLayout } from '../../ui/frame/start-layout.tsx';
import { DatabaseFields } from './database-fields.tsx';
import { DatabaseTypes } from './database-types.tsx';
import type { Setup } from './use-setup.ts';
import { useSetup } from './use-setup.ts';
import type { InvalidField } from './invalid-fields.ts';
import { hostMessage } from '../../core/messages/host-message.ts';

/** Props of the setup wizard. */
export interface SetupWizardProps {
  session: Session;
  status: SetupStatus;
  appearance: AppearanceStore;
}

/** Guides through the first start: choose a database, test it, continue. */
export function SetupWizard({ session, status, appearance }: SetupWizardProps) {
  const { t } = useTranslation();
  const setup = useSetup(session, appearance);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setup.initialize();
  };

  return (
    <StartLayout title={t('setup.title')} intro={t('setup.intro')} appearance={appearance}>
      <form onSubmit={onSubmit}>
        <Stack gap="md">
          <PreviousDatabase status={status} setup={setup} />
          {setup.backError !== null && (
            <ErrorAlert title={t('setup.continueFailed')} error={setup.backError} />
          )}
          {setup.forms ? (
            <DatabaseTypes
              forms={setup.forms}
              value={setup.form?.type ?? ''}
              disabled={setup.work !== null}
              onChoose={setup.choose}
            />
          ) : (
            setup.error === null && <Skeleton height={160} className="late" />
          )}
          <DatabaseFields
            fields={setup.form?.fields ?? []}
            values={setup.values}
            wrong={setup.wrong}
            disabled={setup.work !== null}
            onChange={setup.setValue}
          />
          <Outcome setup={setup} />
          {setup.form && <WizardButtons setup={setup} />}
        </Stack>
      </form>
    </StartLayout>
  );
}

/** Explains why the host returned to setup, with a way back, and what another database means. */
function PreviousDatabase({
  status: { reason, previous },
  setup,
}: {
  status: SetupStatus;
  setup: Setup;
}) {
  const { t, language } = useTranslation();
  if (!reason && !previous) return null;
  return (
    <Alert tone={reason ? 'warn' : 'accent'} title={t(reason ? 'setup.back' : 'setup.left')}>
      {reason && (
        <Text size="sm" className="untrusted" title={exactTime(reason.at, language)}>
          {hostMessage(reason.text, reason.message)}
        </Text>
      )}
      {previous && <RestorePrevious previous={previous} setup={setup} />}
    </Alert>
  );
}

function RestorePrevious({
  previous: { type, carryOver = [] },
  setup,
}: {
  previous: NonNullable<SetupStatus['previous']>;
  setup: Setup;
}) {
  const { t } = useTranslation();
  const carriedOver = carryOver.find((one) => one.type === setup.form?.type);
  const label = setup.forms?.find((form) => form.type === type)?.label ?? type;
  return (
    <>
      {carriedOver && (
        <Text size="sm">
          {t('setup.another')} {hostMessage(carriedOver.textMessage, carriedOver.text)}
        </Text>
      )}
      <Button
        size="xs"
        variant="default"
        mt="xs"
        onClick={setup.goBack}
        loading={setup.work === 'continuing'}
        disabled={setup.work !== null}
      >
        {t('setup.continue', { type: label })}
      </Button>
    </>
  );
}

function Outcome({ setup }: { setup: Setup }) {
  if (setup.wrong.length > 0) return <InvalidFields wrong={setup.wrong} />;
  if (setup.error !== null) {
    return <ErrorAlert error={setup.error} onRetry={setup.forms ? undefined : setup.load} />;
  }
  return setup.tested && <TestResult tested={setup.tested} />;
}

/** Lists invalid fields by their labels, since the service names parameters. */
function InvalidFields({ wrong }: { wrong: InvalidField[] }) {
  return (
    <Alert tone="bad" role="alert">
      {wrong.map(({ field, message }, index) => (
        <p key={index} className="plain untrusted">
          {`${field.label}: ${message}`}
        </p>
      ))}
    </Alert>
  );
}

function TestResult({ tested }: { tested: ConnectionTest }) {
  const { t } = useTranslation();
  const elapsed = { ms: Math.round(tested.elapsedMs) };
  return (
    <Alert
      tone={tested.success ? 'good' : 'bad'}
      role="status"
      title={t(tested.success ? 'setup.works' : 'setup.fails', elapsed)}
    >
      {tested.serverVersion && (
        <p className="plain untrusted">{t('setup.version', { version: tested.serverVersion })}</p>
      )}
      {tested.message && (
        <p className="plain untrusted">{hostMessage(tested.text, tested.message)}</p>
      )}
    </Alert>
  );
}

function WizardButtons({ setup }: { setup: Setup }) {
  const { t } = useTranslation();
  return (
    <Group justify="space-between">
      <Button
        variant="default"
        onClick={({ currentTarget: { form } }) => {
          if (form?.reportValidity()) setup.test();
        }}
        loading={setup.work === 'testing'}
        disabled={setup.work !== null}
      >
        {t('setup.test')}
      </Button>
      <Button type="submit" loading={setup.work === 'initializing'} disabled={setup.work !== null}>
        {t('setup.initialize')}
      </Button>
    </Group>
  );
}
