import { Loader } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import {
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconHandStop,
  IconHelpCircle,
  IconPlayerSkipForward,
} from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { StepStatus } from '../../../service/contract/index.ts';
import type { StepView } from '../../state/workflows/run-view.ts';

const marks: Record<Exclude<StepStatus, 'running'>, { icon: Icon; tone?: string }> = {
  pending: { icon: IconCircleDashed },
  awaiting_approval: { icon: IconHandStop, tone: 'warn' },
  completed: { icon: IconCircleCheck, tone: 'good' },
  failed: { icon: IconCircleX, tone: 'bad' },
  skipped: { icon: IconPlayerSkipForward },
  cancelled: { icon: IconBan },
  unknown: { icon: IconHelpCircle, tone: 'warn' },
};

/** Shows the status of a step in the run. */
export function StepMark({ step: { status } }: { step: Pick<StepView, 'status'> }) {
  const { t } = useTranslation();
  const label = t(`flows.step.${status}`);
  if (status === 'running')
    return (
      <span className="flow-mark" data-tone="accent" title={label}>
        <Loader size={14} aria-hidden />
        <span className="visually-hidden">{label}</span>
      </span>
    );
  const { icon: Shape, tone } = marks[status];
  return (
    <span className="flow-mark" data-tone={tone} title={label}>
      <Shape size={16} aria-hidden />
      <span className="visually-hidden">{label}</span>
    </span>
  );
}
