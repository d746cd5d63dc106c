import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { findProgram } from '../find-program.ts';
import { processEnvironment } from '../process-environment.ts';
import type { Processes, ProcessSpec } from '../processes.ts';
import type { Boxing } from './box.ts';
import { bubblewrapBoxing, type NamespaceSet, namespaceSets } from './bubblewrap.ts';
import { findJobObject, type JobObjectPlaces } from './find-job-object.ts';
import { type FoundIsolation, nothingHolds, trialLimitMs } from './found-isolation.ts';
import { held } from './isolation-report.ts';
import { notInstalled, type Refusal, refusalOf, trustAdvice } from './refusal.ts';
import { sandboxExecBoxing } from './sandbox-exec.ts';
import { findSystemTrees } from './system-trees.ts';

const trialWord = 'inside';

export interface IsolationPlaces {
  /** `.host` of the working directory, absolute. */
  hostRoot: string;
  platform?: NodeJS.Platform;
  /** What the PATH is taken from. */
  path?: string;
  /** Of Windows. */
  jobObject?: JobObjectPlaces;
}

/** What this machine can hold, found out by running something in it. */
export async function findIsolation(
  processes: Processes,
  { hostRoot, platform = process.platform, path, jobObject }: IsolationPlaces,
): Promise<FoundIsolation> {
  if (platform === 'linux') return findBubblewrap(processes, hostRoot, path);
  if (platform === 'darwin') return findSandboxExec(processes, hostRoot);
  if (platform === 'win32') return findJobObject(processes, jobObject);
  return nothingHolds({
    reason: 'There is no sandbox for plugin workers on this system.',
    advice: trustAdvice,
  });
}

async function findBubblewrap(
  processes: Processes,
  hostRoot: string,
  path: string | undefined,
): Promise<FoundIsolation> {
  const program = await findProgram('bwrap', path);
  if (program === null) return nothingHolds(notInstalled);
  const trees = await findSystemTrees();
  let refusal: Refusal = notInstalled;
  for (const namespaces of Object.keys(namespaceSets) as NamespaceSet[]) {
    const boxing = bubblewrapBoxing({ program, namespaces, trees });
    const said = await trial(processes, boxing, hostRoot);
    if (said === null) return { boxing, found: held.bubblewrap };
    // The simplest set that every user may have tells best what is missing.
    if (namespaces === 'user') refusal = refusalOf(said);
  }
  return nothingHolds(refusal);
}

async function findSandboxExec(processes: Processes, hostRoot: string): Promise<FoundIsolation> {
  const boxing = sandboxExecBoxing({ home: homedir(), hostRoot });
  const said = await trial(processes, boxing, hostRoot);
  if (said === null) return { boxing, found: held.sandboxExec };
  return nothingHolds({
    reason: 'The trial of the sandbox failed.',
    advice: trustAdvice,
  });
}

/** Null when a shell really ran in the box and did not see the host's files there; else what was said. */
async function trial(
  processes: Processes,
  boxing: Boxing,
  hostRoot: string,
): Promise<string | null> {
  const spec: ProcessSpec = {
    program: '/bin/sh',
    args: ['-c', `ls "$1" >/dev/null 2>&1 || echo ${trialWord}`, 'sh', join(hostRoot, 'config')],
    cwd: '/',
    env: processEnvironment(),
  };
  try {
    const child = await processes.spawn(boxing.wrap(spec, { mounts: [], network: false }));
    child.stdin.end();
    const limit = new AbortController();
    void delay(trialLimitMs, undefined, { signal: limit.signal })
      .then(() => child.terminate(0))
      .catch(() => undefined);
    const [said, complaint, exit] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      child.exited,
    ]);
    limit.abort();
    await child.terminate(0);
    return exit.code === 0 && said.trim() === trialWord ? null : complaint;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
