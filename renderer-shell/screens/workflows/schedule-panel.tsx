import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { useShell } from '../../state/shell.ts';
import { api } from '../../../service/contract/index.ts';
import { Alert } from '../../ui/frame/alert.tsx';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { ScheduleCard } from '../../ui/schedules/schedule-card.tsx';
import { ScheduleForm } from '../../ui/schedules/schedule-form.tsx';
import { useWorkflow } from './workflow-context.ts';

/** Lists the schedules of the open workflow, with a form for a new one. */
export function SchedulePanel() {
  const { t } = useTranslation();
  const { client } = useShell();
  const { id, published } = useWorkflow().state.workflow;
  const { inputSchema } = useWorkflow().content;
  const [adding, setAdding] = useState(false);
  const read = useCallback(async () => {
    const all = await client.call(api.schedules.list);
    return all.filter(({ workflowId }) => workflowId === id).toReversed();
  }, [client, id]);
  const { state, reload, refresh } = useLoaded(read);
  return (
    <div className="flow-form">
      <p className="quiet plain">{t('flows.scheduleText')}</p>
      {!published && <Alert tone="warn">{t('flows.scheduleUnpublished')}</Alert>}
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
      {state.kind === 'ready' && state.value.length > 0 && (
        <ul className="schedule-list">
          {state.value.map((schedule) => (
            <ScheduleCard key={schedule.id} schedule={schedule} onChanged={reload} />
          ))}
        </ul>
      )}
      {adding && published ? (
        <ScheduleForm
          workflow={{ id, inputSchema }}
          onDone={() => setAdding(false)}
          onAdded={reload}
        />
      ) : (
        <Button
          size="xs"
          disabled={!published}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          {t('agent.schedules.new')}
        </Button>
      )}
    </div>
  );
}
