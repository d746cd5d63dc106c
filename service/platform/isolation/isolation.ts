import type { Log } from '../log.ts';
import type { Processes } from '../processes.ts';
import { type Boxing, noBoxing } from './box.ts';
import { findIsolation, type IsolationPlaces } from './find-isolation.ts';
import type { FoundIsolation } from './found-isolation.ts';
import { type IsolationReport, reportIsolation } from './isolation-report.ts';
import { type Refusal, refusalToStart } from './refusal.ts';

/** How this host keeps workers and commands apart. */
export interface Isolation {
  /** What new workers are started with. */
  boxing(): Promise<Boxing>;
  /** What commands of a model are started with, whatever the setting for workers. */
  commandBoxing(): Promise<Boxing>;
  /** Why workers of plugins that are not official do not start now; null where they may. */
  refusal(): Promise<Refusal | null>;
  report(): Promise<IsolationReport>;
}

/** What workers are started with while the person wants no sandbox. */
const unrestricted = (): Boxing => noBoxing;

/** The trial runs once, when it is first asked for. */
export function createIsolation(
  processes: Processes,
  places: IsolationPlaces,
  unsandboxedPlugins: () => boolean,
  log?: Pick<Log, 'warn' | 'debug'>,
): Isolation {
  let finding: Promise<FoundIsolation> | null = null;
  const find = async (): Promise<FoundIsolation> => {
    const found = await findIsolation(processes, places);
    if (log) logFound(log, reportIsolation(found.found, unsandboxedPlugins()));
    return found;
  };
  const found = (): Promise<FoundIsolation> => (finding ??= find());
  const { platform = process.platform, trustsPlugins = false } = places;
  const refusal = async (): Promise<Refusal | null> =>
    unsandboxedPlugins() || trustsPlugins ? null : refusalToStart((await found()).found, platform);
  return {
    refusal,
    boxing: async () => (unsandboxedPlugins() ? unrestricted() : (await found()).boxing),
    commandBoxing: async () => (await found()).boxing,
    report: async () => ({
      ...reportIsolation((await found()).found, unsandboxedPlugins()),
      ...(await refusal()),
    }),
  };
}

function logFound(log: Pick<Log, 'warn' | 'debug'>, report: IsolationReport): void {
  const { sandboxed, backend, reason = '', advice = '' } = report;
  if (sandboxed && reason === '') log.debug('isolation', `The sandbox ${backend} works`);
  else if (sandboxed) log.warn('isolation', `The sandbox works with limits. ${reason} ${advice}`);
  else log.warn('isolation', `There is no working sandbox. ${reason} ${advice}`);
}
