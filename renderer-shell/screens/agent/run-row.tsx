import { RowButton } from '../../ui/frame/row-button.tsx';
import { Age } from '../../ui/frame/age.tsx';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { isOver } from '../../state/agent/run-state.ts';
import type { RunSummary } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { StatusIcon, statusTone } from './status-icon.tsx';

interface RunRowProps {
  run: RunSummary;
  nowMs: number;
  chosen: boolean;
}

export function RunRow({ run, nowMs, chosen }: RunRowProps) {
  const { t } = useTranslation();
  const { route, view } = useShell();
  const { runId, goal, status, createdAt } = run;
  const open = () => {
    route.go({ area: 'agent', id: runId });
    view.patch({ listOpen: false });
  };
  return (
    <RowButton chosen={chosen} onClick={open}>
      <StatusIcon status={status} />
      <span className="row-text">
        <span className="row-name untrusted">{goal}</span>
        <span className="row-more" data-tone={isOver(run) ? undefined : statusTone(status)}>
          {t(`agent.status.${status}`)}
          {' · '}
          <Age at={createdAt} nowMs={nowMs} />
        </span>
      </span>
    </RowButton>
  );
}
