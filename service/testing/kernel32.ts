import { readFileSync } from 'node:fs';
import {
  extendedLimitClass,
  killOnJobClose,
  limitFlagsOffset,
} from '../platform/isolation/job-limits.ts';
import type { Handle, Kernel32 } from '../platform/isolation/kernel32.ts';
import { isAlive } from './workers/is-alive.ts';

interface Job {
  kind: 'job';
  killsOnClose: boolean;
  pids: Set<number>;
}

interface OpenedProcess {
  kind: 'process';
  pid: number;
  access: number;
}

/** A simulation of kernel32 for tests. */
export interface ExampleKernel32 {
  kernel: Kernel32;
  /** Names of the called functions, in order. */
  calls: string[];
  /** Number of open handles. */
  openHandles(): number;
}

const invalidHandle = 6;
const accessDenied = 5;
const badLength = 24;
const invalidParameter = 87;

/**
 * Simulates the job objects of Windows with real processes of this machine: fails in the same cases
 * with the same codes, and closing a job ends its processes. `failing` maps calls to error codes; a
 * `deaf` job never ends anything.
 */
export function exampleKernel32({
  failing = {},
  deaf = false,
}: { failing?: Partial<Record<keyof Kernel32, number>>; deaf?: boolean } = {}): ExampleKernel32 {
  const open = new Map<Handle, Job | OpenedProcess>();
  const calls: string[] = [];
  let lastHandle = 0;
  let lastError = 0;
  const fail = (code: number): 0 => {
    lastError = code;
    return 0;
  };
  const called = (name: keyof Kernel32): boolean => {
    calls.push(name);
    const code = failing[name];
    if (code !== undefined) lastError = code;
    return code === undefined;
  };
  const opened = (what: Job | OpenedProcess): Handle => {
    open.set((lastHandle += 4), what);
    return lastHandle;
  };
  const kernel: Kernel32 = {
    CreateJobObjectW: () =>
      called('CreateJobObjectW')
        ? opened({ kind: 'job', killsOnClose: false, pids: new Set() })
        : 0,
    SetInformationJobObject(handle, kind, bytes, length) {
      if (!called('SetInformationJobObject')) return 0;
      const job = open.get(handle);
      if (job?.kind !== 'job') return fail(invalidHandle);
      if (kind !== extendedLimitClass) return fail(invalidParameter);
      if (length !== 144 || bytes.length !== length) return fail(badLength);
      const flags = new DataView(bytes.buffer).getUint32(limitFlagsOffset, true);
      job.killsOnClose = (flags & killOnJobClose) !== 0;
      return 1;
    },
    OpenProcess(access, _inherit, pid) {
      if (!called('OpenProcess')) return 0;
      return exists(pid) ? opened({ kind: 'process', pid, access }) : fail(invalidParameter);
    },
    AssignProcessToJobObject(handle, ofProcess) {
      if (!called('AssignProcessToJobObject')) return 0;
      const [job, target] = [open.get(handle), open.get(ofProcess)];
      if (job?.kind !== 'job' || target?.kind !== 'process') return fail(invalidHandle);
      if ((target.access & 0x101) !== 0x101 || !isAlive(target.pid)) return fail(accessDenied);
      job.pids.add(target.pid);
      return 1;
    },
    WaitForSingleObject(handle) {
      called('WaitForSingleObject');
      const target = open.get(handle);
      if (target?.kind !== 'process' || (target.access & 0x10_0000) === 0) {
        fail(target ? accessDenied : invalidHandle);
        return 0xffff_ffff;
      }
      return isAlive(target.pid) ? 258 : 0;
    },
    CloseHandle(handle) {
      if (!called('CloseHandle')) return 0;
      const what = open.get(handle);
      if (!open.delete(handle)) return fail(invalidHandle);
      if (what?.kind === 'job' && what.killsOnClose && !deaf)
        for (const pid of [...what.pids].flatMap(withDescendants)) end(pid);
      return 1;
    },
    GetLastError() {
      calls.push('GetLastError');
      return lastError;
    },
  };
  return { kernel, calls, openHandles: () => open.size };
}

function withDescendants(pid: number): number[] {
  const text = (): string => {
    try {
      return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1');
    } catch {
      return '';
    }
  };
  return [pid, ...text().split(' ').filter(Boolean).map(Number).flatMap(withDescendants)];
}

/** Also true for an exited process that was not waited for. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function end(pid: number): void {
  if (exists(pid)) process.kill(pid, 'SIGKILL');
}
