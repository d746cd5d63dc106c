import { Button } from '@mantine/core';
import { IconPlayerStop, IconSitemap } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { AgentRun } from '../../state/agent/agent-run.ts';
import { isOver } from '../../state/agent/run-state.ts';
import type { RunDetails } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { ShowListButton } from '../../ui/frame/list-pane.tsx';
import { Tag } from '../../ui/frame/alert.tsx';
import type { Action } from '../../ui/frame/use-action.ts';
import { useAction } from '../../ui/frame/use-action.ts';
import { useTitle } from '../../ui/frame/window-title.ts';
import { ContinueMenu } from './continue-menu.tsx';
import { statusTone } from './status-icon.tsx';

interface RunToolbarProps {
  run: AgentRun;
  /** Null while loading. */
  details: RunDetails | null;
  narrow: boolean;
  graph: { visible: boolean; toggle: () => void };
}

export function RunToolbar({ run, details, narrow, graph }: RunToolbarProps) {
  const { t } = useTranslation();
  const action = useAction();
  const goal = details?.goal.split('\n')[0] ?? null;
  useTitle(goal);
  return (
    <>
      <header className="toolbar">
        {narrow && <ShowListButton label={t('agent.showList')} />}
        <h1 className="untrusted">{goal ?? t('agent.run')}</h1>
        {details && (
          <span role="status">
            <Tag tone={statusTone(details.status)}>{t(`agent.status.${details.status}`)}</Tag>
          </span>
        )}
        <span className="toolbar-gap" />
        {details && <RunActions run={run} details={details} graph={graph} action={action} />}
      </header>
      {action.error !== null && (
        <div className="content-note">
          <ErrorAlert error={action.error} />
        </div>
      )}
    </>
  );
}

interface RunActionsProps extends Pick<RunToolbarProps, 'run' | 'graph'> {
  details: RunDetails;
  action: Action;
}

function RunActions({ run, details, graph, action }: RunActionsProps) {
  const { t } = useTranslation();
  return (
    <>
      {details.status === 'awaiting_step_approval' && (
        <Button size="xs" variant="light" onClick={scrollToApproval}>
          {t('agent.showWaiting')}
        </Button>
      )}
      {details.plan && (
        <Button
          size="xs"
          variant={graph.visible ? 'light' : 'default'}
          aria-pressed={graph.visible}
          leftSection={<IconSitemap size={14} aria-hidden />}
          onClick={graph.toggle}
        >
          {t('agent.graph')}
        </Button>
      )}
      {isOver(details) ? (
        <ContinueMenu key={details.runId} details={details} />
      ) : (
        <Button
          size="xs"
          variant="default"
          loading={action.busy}
          leftSection={<IconPlayerStop size={14} aria-hidden />}
          onClick={() => void action.run(() => run.cancel())}
        >
          {t('agent.cancel')}
        </Button>
      )}
    </>
  );
}

function scrollToApproval(): void {
  const card = document.querySelector<HTMLElement>('.agent-run .approval');
  card?.scrollIntoView({ block: 'center' });
  card?.focus({ preventScroll: true });
}
