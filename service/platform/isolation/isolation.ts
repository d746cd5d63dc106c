import type { Log } from '../log.ts';
import type { Processes } from '../processes.ts';
import { type Sandbox, passthroughSandbox } from './sandbox.ts';
import { findIsolation, type IsolationOptions } from './find-isolation.ts';
import type { FoundIsolation } from './found-isolation.ts';
import { type IsolationReport, reportIsolation } from './isolation-report.ts';
import { type Refusal, refusalToStart } from './refusal.ts';
import { textOf } from '../../messages/index.ts';

/** Isolation of workers and commands. */
export interface Isolation {
  /** Sandbox of new workers. */
  workerSandbox(): Promise<Sandbox>;
  /** Sandbox of commands, independent of the setting for workers. */
  commandSandbox(): Promise<Sandbox>;
  /** Reason why unofficial workers cannot start now; null if they can. */
  refusal(): Promise<Refusal | null>;
  report(): Promise<IsolationReport>;
}

/** Sandbox of workers while the user has disabled it. */
const unrestricted = (): Sandbox => passthroughSandbox;

/** The trial runs once, on first use. */
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
