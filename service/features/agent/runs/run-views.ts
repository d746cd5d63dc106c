import {
  type Gate,
  hostVersion,
  type RunDetails,
  type RunDocument,
  type RunEvent,
  runFormat,
  type RunUsage,
} from '../../../contract/index.ts';
import { executionsOf } from './executions-of.ts';
import { type RunRow, summaryOf } from './run-row.ts';

/** A run with its executions, usage and gates. */
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
    ...usageOf(events),
    ...failureDetails(events),
    ...answerOf(events),
    gates: [...gates],
    ...(oldest === undefined ? {} : { gateId: oldest.gateId }),
  };
}

/** Returns the document that a run is exported to. */
export const documentOf = (details: RunDetails): RunDocument => ({
  format: runFormat,
  version: 1,
  hostVersion,
  ...details,
});

/** Empty if no model was asked. */
function usageOf(events: readonly RunEvent[]): { usage?: RunUsage } {
  const asked = events.flatMap(({ type, data }) => (type === 'model_asked' ? [data] : []));
  const sum = (name: string): number =>
    asked.reduce((total, data) => total + Number(data[name]), 0);
  if (asked.length === 0) return {};
  const tokens = { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') };
  return { usage: { requests: asked.length, ...tokens } };
}

/** Data behind the `error` of a failed run. */
function failureDetails(events: readonly RunEvent[]): { details?: string } {
  const details = events.findLast(({ type }) => type === 'error')?.data['details'];
  return typeof details === 'string' ? { details } : {};
}

function answerOf(events: readonly RunEvent[]): { answer?: string } {
  const answer = events.findLast(({ type }) => type === 'complete')?.data['answer'];
  return typeof answer === 'string' ? { answer } : {};
}

/** The executions have the result already. */
function withoutResult(event: RunEvent): RunEvent {
  if (!('result' in event.data)) return event;
  const { result: _, ...data } = event.data;
  return { ...event, data };
}
