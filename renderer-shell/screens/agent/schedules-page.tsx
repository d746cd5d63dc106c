import { Button, Skeleton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { usePolling } from '../../ui/frame/use-polling.ts';
import { useShell } from '../../state/shell.ts';
import { AgentPage } from './agent-page.tsx';
import { ScheduleCard } from '../../ui/schedules/schedule-card.tsx';
import { ScheduleForm, scheduleKey } from '../../ui/schedules/schedule-form.tsx';

const pollMs = 5_000;

/** Lists the published workflows that run on a schedule. */
export function SchedulesPage({ narrow }: { narrow: boolean }) {
  const { t } = useTranslation();
  const { client, drafts } = useShell();
  const read = useCallback(() => client.call(api.schedules.list), [client]);
  const { state, reload, refresh } = useLoaded(read);
  usePolling(refresh, pollMs);
  const [adding, setAdding] = useState(() => drafts.has(scheduleKey));
  return (
    <AgentPage
      title={t('agent.schedules.title')}
      narrow={narrow}
      action={
        <Button
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          {t('agent.schedules.new')}
        </Button>
      }
    >
      <p className="quiet plain">{t('agent.schedules.text')}</p>
      {adding && <ScheduleForm onDone={() => setAdding(false)} onAdded={reload} />}
      {state.kind === 'loading' && <Skeleton className="late" height={120} />}
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
      {state.kind === 'ready' && state.value.length === 0 && (
        <p className="plain">{t('agent.schedules.none')}</p>
      )}
      {state.kind === 'ready' && (
        <ul className="steps">
          {state.value.toReversed().map((schedule) => (
            <ScheduleCard key={schedule.id} schedule={schedule} onChanged={reload} />
          ))}
        </ul>
      )}
    </AgentPage>
  );
}
