import type { Gate, RunDetails, RunEvent } from '../../../contract/index.ts';
import { executionsOf } from './executions-of.ts';
import { type RunRow, summaryOf } from './run-row.ts';

/** A run with all that is known of it. */
export function detailsOf(
  row: RunRow,
  events: readonly RunEvent[],
  gates: readonly Gate[],
): RunDetails {
  const { config, capabilityMode } = row.request;
  const [oldest] = gates;
  return {
    ...summaryOf(row),
    config,
    ...(capabilityMode === undefined ? {} : { capabilityMode }),
    plan: row.plan,
    executions: executionsOf(row.plan, events),
    events: events.map(withoutResult),
    gates: [...gates],
    ...(oldest === undefined ? {} : { gateId: oldest.gateId }),
  };
}

/** It stands in the executions. */
function withoutResult(event: RunEvent): RunEvent {
  if (!('result' in event.data)) return event;
  const { result: _, ...data } = event.data;
  return { ...event, data };
}
