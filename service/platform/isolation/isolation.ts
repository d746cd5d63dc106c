import type { Log } from '../log.ts';
import type { Processes } from '../processes.ts';
import { type Sandbox, passthroughSandbox } from './sandbox.ts';
import { findIsolation, type IsolationOptions } from './find-isolation.ts';
import type { FoundIsolation } from './found-isolation.ts';
import { type IsolationReport, reportIsolation } from './isolation-report.ts';
import { type Refusal, refusalToStart } from './refusal.ts';
import { textOf } from '../../messages/index.ts';

/** How this host keeps workers and commands apart. */
export interface Isolation {
  /** What new workers are started with. */
  workerSandbox(): Promise<Sandbox>;
  /** What commands of a model are started with, whatever the setting for workers. */
  commandSandbox(): Promise<Sandbox>;
  /** Why workers of plugins that are not official do not start now; null where they may. */
  refusal(): Promise<Refusal | null>;
  report(): Promise<IsolationReport>;
}

/** What workers are started with while the person wants no sandbox. */
const unrestricted = (): Sandbox => passthroughSandbox;

/** The trial runs once, when it is first asked for. */
export function createIsolation(
  processes: Processes,
  options: IsolationOptions,
  unsandboxedPlugins: () => boolean,
  log?: Pick<Log, 'warn' | 'debug'>,
): Isolation {
  let finding: Promise<FoundIsolation> | null = null;
  const find = async (): Promise<FoundIsolation> => {
    const found = await findIsolation(processes, options);
    if (log) logFound(log, reportIsolation(found.found, unsandboxedPlugins()));
    return found;
  };
  const found = (): Promise<FoundIsolation> => (finding ??= find());
  const { platform = process.platform, trustsPlugins = false } = options;
  const refusal = async (): Promise<Refusal | null> =>
    unsandboxedPlugins() || trustsPlugins ? null : refusalToStart((await found()).found, platform);
  return {
    refusal,
    workerSandbox: async () => (unsandboxedPlugins() ? unrestricted() : (await found()).sandbox),
    commandSandbox: async () => (await found()).sandbox,
    report: async () => ({
      ...reportIsolation((await found()).found, unsandboxedPlugins()),
      ...(await refusal()),
    }),
  };
}

function logFound(log: Pick<Log, 'warn' | 'debug'>, report: IsolationReport): void {
  const { sandboxed, backend } = report;
  const reason = textOf(report.reason ?? '');
  const advice = textOf(report.advice ?? '');
  if (sandboxed && reason === '') log.debug('isolation', `The sandbox ${backend} works`);
  else if (sandboxed) log.warn('isolation', `The sandbox works with limits. ${reason} ${advice}`);
  else log.warn('isolation', `There is no working sandbox. ${reason} ${advice}`);
}
