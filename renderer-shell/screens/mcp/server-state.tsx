import { Loader } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleOff,
  IconCircleX,
  IconLock,
} from '@tabler/icons-react';
import type { McpState } from '../../../service/contract/index.ts';

const icons = {
  CONNECTED: IconCircleCheck,
  DEGRADED: IconAlertTriangle,
  NEEDS_AUTH: IconLock,
  FAILED: IconCircleX,
  DISABLED: IconCircleOff,
} as const;

const tones = {
  CONNECTING: undefined,
  CONNECTED: 'good',
  DEGRADED: 'warn',
  NEEDS_AUTH: 'warn',
  FAILED: 'bad',
  DISABLED: undefined,
} as const;

export const toneOfState = (state: McpState) => tones[state];

/** Shows the status of a server as an icon; the text is beside it. */
export function StateIcon({ state, size }: { state: McpState; size: number }) {
  if (state === 'CONNECTING') return <Loader size={size - 2} aria-hidden />;
  const Icon = icons[state];
  return (
    <span className="mcp-state" data-tone={tones[state]}>
      <Icon size={size} aria-hidden />
    </span>
  );
}
