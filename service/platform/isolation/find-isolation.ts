import { homedir } from 'node:os';
import type { GroupLimit } from '../control-groups/control-groups.ts';
import { findProgram } from '../find-program.ts';
import type { Processes } from '../processes.ts';
import {
  createBubblewrapSandbox,
  type Guard,
  type NamespaceSet,
  namespaceSets,
} from './bubblewrap.ts';
import { findJobObject, type JobObjectOptions } from './find-job-object.ts';
import { type FoundIsolation, noIsolation } from './found-isolation.ts';
import { type Found, backendReports } from './isolation-report.ts';
import { missingLimits } from './missing-limits.ts';
import { notInstalled, otherProcessor, refusalOf, shortcoming, trustAdvice } from './refusal.ts';
import { createSandboxExecSandbox } from './sandbox-exec.ts';
import { tryFileSandbox, trySandbox } from './sandbox-trial.ts';
import { isProcessor } from '../elf/system-calls.ts';
import { findSystemTrees } from './system-trees.ts';
import type { TrialPoint } from './trial-points.ts';
import { msg } from '../../messages/index.ts';

/** The machine on which a sandbox is searched for. */
export interface IsolationOptions {
  /** `.host` of the working directory, absolute. */
  hostRoot: string;
  platform?: NodeJS.Platform;
  /** Default of the PATH: that of this process. */
  path?: string;
  /** For tests: unofficial plugins run without a sandbox and without a confirmation. */
  trustsPlugins?: boolean;
  /** For Windows. */
  jobObject?: JobObjectOptions;
}

/** Finds the isolation that this machine supports, with a trial. */
export async function findIsolation(
  processes: Processes,
  { hostRoot, platform = process.platform, path, jobObject }: IsolationOptions,
): Promise<FoundIsolation> {
  if (platform === 'linux') return findBubblewrap(processes, hostRoot, path);
  if (platform === 'darwin') return findSandboxExec(processes, hostRoot);
  if (platform === 'win32') return findJobObject(processes, jobObject);
  return noIsolation({
    reason: msg('isolation.otherSystem'),
    advice: trustAdvice,
  });
}

/** Points that may fail in a reduced sandbox: they do not expose files. */
const tolerated: readonly TrialPoint[] = [
  'proc',
  'mounts',
  'filter',
  'descriptors',
  'limits',
  'processes',
];

/**
 * Returns the first set of namespaces in which every point holds. Otherwise the one with the fewest
 * open points that isolates files and network, which is reported as reduced.
 */
async function findBubblewrap(
  processes: Processes,
  hostRoot: string,
  path: string | undefined,
): Promise<FoundIsolation> {
  const program = await findProgram('bwrap', path);
  if (program === null) return noIsolation(notInstalled);
  if (!isProcessor(process.arch)) return noIsolation(otherProcessor);
  const trees = await findSystemTrees();
  const limits = limitsOf(await processes.groupLimits());
  let reduced: FoundIsolation | null = null;
  let fewestOpen = tolerated.length + 1;
  let refusal = notInstalled;
  for (const { namespaces, guard } of candidates(process.arch)) {
    const sandbox = createBubblewrapSandbox({ program, namespaces, trees, guard });
    const result = await trySandbox(processes, { sandbox, hostRoot });
    if ('refused' in result) {
      // The simplest set that is available to every user reveals best what is missing.
      if (namespaces === 'user') refusal = refusalOf(result.refused);
      continue;
    }
    const [worst] = result.open;
    if (worst === undefined) return { sandbox, found: { ...backendReports.bubblewrap, ...limits } };
    const why = shortcoming(worst);
    if (!result.open.every((point) => tolerated.includes(point))) refusal = why;
    else if (result.open.length < fewestOpen) {
      fewestOpen = result.open.length;
      const { resourceLimits } = limits;
      reduced = { sandbox, found: { ...backendReports.reducedBubblewrap, resourceLimits, ...why } };
    }
  }
  return reduced ?? noIsolation(refusal);
}

function limitsOf(ofGroups: readonly GroupLimit[]): Pick<Found, 'resourceLimits' | 'reason'> {
  const reason = missingLimits(ofGroups);
  if (reason !== null) return { resourceLimits: 'rlimit', reason };
  return { resourceLimits: 'cgroup' };
}

function candidates(processor: Guard['processor']): { namespaces: NamespaceSet; guard: Guard }[] {
  const sets = Object.keys(namespaceSets) as NamespaceSet[];
  return [true, false].flatMap((launcher) =>
    sets.map((namespaces) => ({ namespaces, guard: { processor, launcher } })),
  );
}

async function findSandboxExec(processes: Processes, hostRoot: string): Promise<FoundIsolation> {
  const sandbox = createSandboxExecSandbox({ home: homedir(), hostRoot });
  const result = await tryFileSandbox(processes, { sandbox, hostRoot });
  if ('open' in result && result.open.length === 0)
    return { sandbox, found: backendReports.sandboxExec };
  return noIsolation({
    reason: msg('isolation.trialFailed'),
    advice: trustAdvice,
  });
}
