import '../../core/messages/agent-translations.ts';
import './schedules.css';
import { Button } from '@mantine/core';
import type { Translate } from '../../core/messages/texts.ts';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Schedule, ScheduleEvent } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../frame/error-alert.tsx';
import { Tag } from '../frame/alert.tsx';
import type { Action } from '../frame/use-action.ts';
import { useAction } from '../frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { exactTime } from '../../core/messages/amounts.ts';
import { hostMessage } from '../../core/messages/host-message.ts';
import { durationText } from '../../core/messages/duration.ts';

interface ScheduleCardProps {
  schedule: Schedule;
  /** Rejects if reading fails. */
  onChanged: () => Promise<void>;
}

/** Shows one schedule: when it runs, and the results of its last times. */
export function ScheduleCard({ schedule, onChanged }: ScheduleCardProps) {
  const { t, language } = useTranslation();
  const [open, setOpen] = useState(false);
  const action = useAction();
  const { workflowName, state, nextRunAt } = schedule;
  return (
    <li className="step">
      <details className="tool" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className="tool-name untrusted">{workflowName}</span>
          <span className="tool-gist untrusted">{timesOf(schedule, t, language)}</span>
          <span className="toolbar-gap" />
          {nextRunAt !== undefined && (
            <span className="step-time">
              {t('agent.schedules.next', { time: exactTime(nextRunAt, language) })}
            </span>
          )}
          <Tag tone={state === 'active' ? 'good' : state === 'paused' ? 'warn' : undefined}>
            {t(`agent.schedules.state.${state}`)}
          </Tag>
        </summary>
        {open && <ScheduleBody schedule={schedule} action={action} onChanged={onChanged} />}
      </details>
      {action.error !== null && <ErrorAlert error={action.error} />}
    </li>
  );
}

interface ScheduleBodyProps extends ScheduleCardProps {
  action: Action;
}

function ScheduleBody({ schedule, action, onChanged }: ScheduleBodyProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const { id, state, history } = schedule;
  const remove = () =>
    void action.run(async () => {
      await client.call(api.schedules.remove, { params: { id } });
      await onChanged();
    });
  const pause = (paused: boolean) =>
    void action.run(async () => {
      await client.call(api.schedules.change, { params: { id }, body: { paused } });
      await onChanged();
    });
  return (
    <>
      {history.length === 0 && <p className="tool-exit">{t('agent.schedules.noHistory')}</p>}
      <ol className="audit-events schedule-history">
        {history.map((event, index) => (
          <HistoryRow key={index} event={event} />
        ))}
      </ol>
      <div className="task-actions">
        {(state === 'active' || state === 'paused') && (
          <Button
            size="xs"
            variant="default"
            loading={action.busy}
            onClick={() => pause(state === 'active')}
          >
            {t(state === 'active' ? 'agent.schedules.pause' : 'agent.schedules.goOn')}
          </Button>
        )}
        <Button size="xs" color="red.9" loading={action.busy} onClick={remove}>
          {t('agent.schedules.remove')}
        </Button>
      </div>
    </>
  );
}

function timesOf(schedule: Schedule, t: Translate, language: string): string {
  const { cron, timeZone, intervalSeconds = 0, recurring } = schedule;
  if (cron !== undefined) return `${cron} · ${timeZone ?? ''}`;
  const time = durationText(intervalSeconds * 1_000, language);
  return t(recurring === false ? 'agent.schedules.onceAfter' : 'agent.schedules.every', { time });
}

function HistoryRow({ event }: { event: ScheduleEvent }) {
  const { t, language } = useTranslation();
  const { route } = useShell();
  const { dueAt, outcome, runId, catchUp, reason, message, text, times } = event;
  return (
    <li>
      <time dateTime={dueAt}>{exactTime(dueAt, language)}</time>
      <span className="audit-what" data-outcome={outcome}>
        {t(`agent.schedules.outcome.${outcome}`)}
        {times !== undefined && times > 1 && ` × ${times}`}
      </span>
      {runId !== undefined && (
        <button
          type="button"
          className="link"
          onClick={() => route.go({ area: 'agent', id: runId })}
        >
          {t('agent.tasks.openRun')}
        </button>
      )}
      <span className="quiet untrusted">
        {catchUp === true && `${t('agent.schedules.catchUp')} `}
        {hostMessage(text, message ?? reason ?? '')}
      </span>
    </li>
  );
}
