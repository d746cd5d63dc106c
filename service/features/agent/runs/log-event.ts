import type { RunEvent } from '../../../contract/index.ts';
import type { Log } from '../../../platform/log.ts';

/** Logs an event without goal, arguments and results, which may contain secrets. */
export function logEvent(log: Pick<Log, 'debug'>, runId: string, { type, data }: RunEvent): void {
  log.debug('agent', () => {
    const { index, element, attempt, status, code, durationMs } = data;
    const facts = [
      typeof index === 'number' ? `step ${index + 1}` : '',
      typeof element === 'number' ? `element ${element + 1}` : '',
      typeof attempt === 'number' ? `attempt ${attempt}` : '',
      typeof status === 'string' ? status : '',
      typeof code === 'string' ? code : '',
      typeof durationMs === 'number' ? `${durationMs} ms` : '',
    ];
    return [`Run ${runId}: ${type}`, ...facts.filter(Boolean)].join(', ');
  });
}
