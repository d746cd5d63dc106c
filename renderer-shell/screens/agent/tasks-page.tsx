import { Age } from '../../ui/frame/age.tsx';
import { Button, Skeleton } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Task } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { useNow } from '../../ui/frame/use-now.ts';
import { usePolling } from '../../ui/frame/use-polling.ts';
import { useShell } from '../../state/shell.ts';
import { isUnderWay } from '../../state/task-store.ts';
import { useStore } from '../../core/store.ts';
import { ToolText } from '../../ui/cards/tool-card.tsx';
import { AgentPage } from './agent-page.tsx';
import { StatusIcon } from './status-icon.tsx';

const minuteMs = 60_000;
const outputMs = 1_000;

/** Lists the background tasks with their output and outcome. */
export function TasksPage({ narrow }: { narrow: boolean }) {
  const { t } = useTranslation();
  const { tasks } = useShell();
  const all = useStore(tasks);
  const error = useStore(tasks.error);
  useEffect(() => tasks.watch(), [tasks]);
  return (
    <AgentPage title={t('agent.tasks.title')} narrow={narrow}>
      <p className="quiet plain">{t('agent.tasks.text')}</p>
      {all === null && error !== null && (
        <ErrorAlert error={error} onRetry={() => void tasks.refresh()} />
      )}
      {all === null && error === null && <Skeleton className="late" height={120} />}
      {all?.length === 0 && <p className="plain">{t('agent.tasks.none')}</p>}
      <ul className="steps">
        {(all ?? []).toReversed().map((task) => (
          <TaskCard key={task.taskId} task={task} />
        ))}
      </ul>
    </AgentPage>
  );
}

function TaskCard({ task }: { task: Task }) {
  const { t } = useTranslation();
  const { client, tasks, route } = useShell();
  const [open, setOpen] = useState(false);
  const action = useAction();
  const nowMs = useNow(minuteMs);
  const { taskId, title, status, startedAt, runId } = task;
  const kill = () =>
    void action.run(async () => {
      await client.call(api.tasks.kill, { params: { taskId } });
      await tasks.refresh();
    });
  return (
    <li className="step">
      <details className="tool" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <StatusIcon status={status === 'killed' ? 'cancelled' : status} />
          <code className="tool-gist task-title untrusted">{title}</code>
          <span className="toolbar-gap" />
          <span className="step-time">{t(`agent.tasks.status.${status}`)}</span>
          <Age at={startedAt} nowMs={nowMs} className="step-time" />
        </summary>
        {open && <TaskOutputText key={status} taskId={taskId} isLive={isUnderWay(task)} />}
        {open && (
          <div className="task-actions">
            {runId !== undefined && (
              <Button
                size="xs"
                variant="default"
                onClick={() => route.go({ area: 'agent', id: runId })}
              >
                {t('agent.tasks.openRun')}
              </Button>
            )}
            {isUnderWay(task) && (
              <Button size="xs" color="red.9" loading={action.busy} onClick={kill}>
                {t('agent.tasks.kill')}
              </Button>
            )}
          </div>
        )}
      </details>
      {action.error !== null && <ErrorAlert error={action.error} />}
    </li>
  );
}

function TaskOutputText({ taskId, isLive }: { taskId: string; isLive: boolean }) {
  const { client } = useShell();
  const read = useCallback(
    () => client.call(api.tasks.output, { params: { taskId } }),
    [client, taskId],
  );
  const { state, refresh } = useLoaded(read);
  return (
    <>
      {isLive && <Repeat work={refresh} />}
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
      {state.kind === 'ready' && <TaskOutput {...state.value} />}
    </>
  );
}

function Repeat({ work }: { work: () => void }) {
  usePolling(work, outputMs);
  return null;
}

interface TaskOutputProps {
  stdout: string;
  stderr: string;
  exitCode: number | null;
  status: Task['status'];
}

function TaskOutput({ stdout, stderr, exitCode, status }: TaskOutputProps) {
  const { t } = useTranslation();
  const hasNoOutput = stdout === '' && stderr === '';
  return (
    <>
      {hasNoOutput && <p className="tool-exit">{t('agent.tasks.silent')}</p>}
      {stdout !== '' && <ToolText label={t('tool.stdout')} text={stdout} />}
      {stderr !== '' && <ToolText label={t('tool.stderr')} text={stderr} />}
      {status !== 'running' && exitCode !== null && (
        <p className="tool-exit">{t('error.exit', { code: exitCode })}</p>
      )}
    </>
  );
}
