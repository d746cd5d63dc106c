import type { api, Sent } from '../../../service/contract/index.ts';
import type { InputSchema, PermissionMode } from '../../../service/contract/index.ts';
import { jsonObject } from '../../core/json.ts';
import { PageError } from '../../core/messages/page-error.ts';

/** A schedule while it is edited. */
export interface ScheduleDraft {
  workflowId: string | null;
  kind: 'interval' | 'cron';
  every: number | null;
  unit: 'minute' | 'hour' | 'day';
  recurring: boolean;
  fireImmediately: boolean;
  cron: string;
  timeZone: string;
  mode: PermissionMode | null;
  /** JSON text. */
  inputs: string;
}

export const newSchedule: ScheduleDraft = {
  workflowId: null,
  kind: 'interval',
  every: 1,
  unit: 'hour',
  recurring: true,
  fireImmediately: false,
  cron: '0 9 * * 1-5',
  mode: null,
  inputs: '{}',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
};

const seconds = { minute: 60, hour: 3_600, day: 86_400 };

type ScheduleRequest = Sent<(typeof api.schedules.create)['body']>;

/**
 * Returns the request body.
 * @throws PageError if the inputs are not a JSON object
 */
export function scheduleOf(draft: ScheduleDraft): ScheduleRequest {
  const { workflowId, kind, every, unit, mode } = draft;
  const about = {
    workflowId: workflowId ?? '',
    inputs: inputsOf(draft.inputs),
    ...(mode === null ? {} : { permissionMode: mode }),
  };
  if (kind === 'cron')
    return { ...about, durable: true, cron: draft.cron.trim(), timeZone: draft.timeZone.trim() };
  const { recurring, fireImmediately } = draft;
  const intervalSeconds = Math.round((every ?? 0) * seconds[unit]);
  return { ...about, intervalSeconds, recurring, fireImmediately };
}

function inputsOf(text: string): Record<string, unknown> {
  const value = text.trim() === '' ? {} : jsonObject(text);
  if (!value) throw new PageError('agent.schedules.noJson');
  return value;
}

/** Returns the inputs of a workflow as a JSON template. */
export function inputsText(schema: InputSchema): string {
  const properties = schema['properties'];
  const fields = typeof properties === 'object' && properties !== null ? properties : {};
  const values = Object.entries(fields as Record<string, { default?: unknown } | null>);
  return JSON.stringify(
    Object.fromEntries(values.map(([name, field]) => [name, field?.default ?? ''])),
    null,
    2,
  );
}
