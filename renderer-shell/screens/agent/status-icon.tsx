import { Loader } from '@mantine/core';
import {
  IconBan,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconHandStop,
  IconHelpCircle,
  IconPlayerSkipForward,
  IconPlugConnectedX,
} from '@tabler/icons-react';
import type { RunStatus, StepStatus } from '../../../service/contract/index.ts';

type Status = RunStatus | StepStatus;
type Tone = 'good' | 'warn' | 'bad' | 'accent' | undefined;

const icons: Partial<Record<Status, typeof IconBan>> = {
  awaiting_plan_approval: IconHandStop,
  awaiting_step_approval: IconHandStop,
  awaiting_approval: IconHandStop,
  completed: IconCircleCheck,
  failed: IconCircleX,
  cancelled: IconBan,
  interrupted: IconPlugConnectedX,
  skipped: IconPlayerSkipForward,
  unknown: IconHelpCircle,
  pending: IconCircleDashed,
};

export function statusTone(status: Status): Tone {
  if (status === 'completed') return 'good';
  if (status === 'failed') return 'bad';
  if (status === 'planning' || status === 'running') return 'accent';
  const isCalm = status === 'cancelled' || status === 'skipped' || status === 'pending';
  return isCalm ? undefined : 'warn';
}

/** Shows the status of a run or step as an icon; the text is beside it. */
export function StatusIcon({ status }: { status: Status }) {
  const Icon = icons[status];
  return (
    <span className="status-icon" data-tone={statusTone(status)} aria-hidden>
      {Icon ? <Icon size={16} stroke={1.8} /> : <Loader size={14} />}
    </span>
  );
}
