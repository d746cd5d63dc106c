import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processEnvironment } from '../process-environment.ts';
import { HostError } from '../../core/host-error.ts';
import type { Processes } from '../processes.ts';
import { type FoundIsolation, noIsolation, trialLimitMs } from './found-isolation.ts';
import { backendReports } from './isolation-report.ts';
import { assignToJob, createJobObjectSandbox } from './job-object.ts';
import { type Kernel32, openKernel32 } from './kernel32.ts';
import { type Refusal, trustAdvice } from './refusal.ts';
import { type Message, msg } from '../../messages/index.ts';

/** Dependencies of the trial of job objects, for tests; `limitMs` is its time limit. */
export interface JobObjectOptions {
  kernel32?: () => Promise<Kernel32>;
  /** Absolute path of a program that waits for input. */
  idleProgram?: string;
  limitMs?: number;
}

const noSandbox: Refusal = {
  reason: msg('isolation.windows'),
  advice: trustAdvice,
};

const systemRoot = (): string => process.env['SystemRoot'] ?? 'C:\\Windows';

/** Tests job objects of Windows: a waiting program is put into one and must end with it. */
export async function findJobObject(
  processes: Processes,
  {
    kernel32 = openKernel32,
    idleProgram = join(systemRoot(), 'System32', 'sort.exe'),
    limitMs = trialLimitMs,
  }: JobObjectOptions = {},
): Promise<FoundIsolation> {
  try {
    const kernel = await kernel32();
    const ended = await endsWithItsJob(processes, idleProgram, { kernel, limitMs });
    if (!ended) return failed(msg('isolation.jobDidNotEnd'));
    return {
      sandbox: createJobObjectSandbox(kernel),
      found: { ...backendReports.jobObject, ...noSandbox },
    };
  } catch (error) {
    // Other errors contain paths of this machine.
    return failed(
      error instanceof HostError
        ? msg('isolation.jobFailed', { reason: error.text })
        : msg('isolation.jobUnusable'),
    );
  }
}

const failed = (reason: Message): FoundIsolation => noIsolation({ reason, advice: trustAdvice });

async function endsWithItsJob(
  processes: Processes,
  program: string,
  { kernel, limitMs }: { kernel: Kernel32; limitMs: number },
): Promise<boolean> {
  let close = (): void => undefined;
  const child = await processes.spawn({
    program,
    args: [],
    cwd: dirname(program),
    env: processEnvironment(),
    onStarted: (pid) => (close = assignToJob(kernel, pid)),
  });
  close();
  const limit = new AbortController();
  const late = delay(limitMs, false, { signal: limit.signal }).catch(() => false);
  const ended = await Promise.race([child.exited.then(() => true), late]);
  limit.abort();
  await child.terminate(0);
  return ended;
}
