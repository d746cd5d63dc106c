import { HostError } from '../../core/host-error.ts';
import type { Sandbox } from './sandbox.ts';
import { extendedLimitClass, killOnCloseLimits, pointerBytesOf } from './job-limits.ts';
import type { Handle, Kernel32 } from './kernel32.ts';
import { msg } from '../../messages/index.ts';

/** PROCESS_TERMINATE, PROCESS_SET_QUOTA and, to test whether it has ended, SYNCHRONIZE. */
const processAccess = 0x0001 | 0x0100 | 0x0010_0000;
/** Error of OpenProcess for an unused id. */
const errorInvalidParameter = 87;

/**
 * Puts a newly started process into its own job object. Returns a function that closes the job,
 * which ends the process and its descendants; Windows does the same when the host ends for any
 * reason. A process that has already ended needs no job. @throws HostError `no_job_object`; no
 * handle stays open
 */
export function assignToJob(kernel: Kernel32, pid: number): () => void {
  const job = kernel.CreateJobObjectW(null, null);
  if (isNull(job)) throw refused('CreateJobObjectW', kernel.GetLastError());
  let open = true;
  // A closed handle number is soon reused, so it must never be closed twice.
  const close = (): void => {
    if (open) kernel.CloseHandle(job);
    open = false;
  };
  try {
    fill(kernel, job, pid);
  } catch (error) {
    close();
    throw error;
  }
  return close;
}

function fill(kernel: Kernel32, job: Handle, pid: number): void {
  const limits = killOnCloseLimits(pointerBytesOf(process.arch));
  if (!kernel.SetInformationJobObject(job, extendedLimitClass, limits, limits.length))
    throw refused('SetInformationJobObject', kernel.GetLastError());
  const opened = kernel.OpenProcess(processAccess, 0, pid);
  if (isNull(opened)) {
    const systemCode = kernel.GetLastError();
    if (systemCode === errorInvalidParameter) return;
    throw refused('OpenProcess', systemCode);
  }
  try {
    if (kernel.AssignProcessToJobObject(job, opened)) return;
    // Any further call replaces the code. An ended process is refused as well.
    const systemCode = kernel.GetLastError();
    const hasEnded = kernel.WaitForSingleObject(opened, 0) === 0;
    if (!hasEnded) throw refused('AssignProcessToJobObject', systemCode);
  } finally {
    kernel.CloseHandle(opened);
  }
}

/**
 * Windows has no sandbox: paths and network are unrestricted, only the end of processes is
 * guaranteed.
 */
export function createJobObjectSandbox(kernel: Kernel32): Sandbox {
  return {
    inside: (_, path) => path,
    wrap: (spec) => ({ ...spec, onStarted: (pid) => assignToJob(kernel, pid) }),
  };
}

const isNull = (handle: Handle): boolean => BigInt(handle) === 0n;

function refused(call: keyof Kernel32, systemCode: number): HostError {
  const message = msg('isolation.jobRefused', { call, code: systemCode });
  return new HostError('upstream-failed', 'no_job_object', message);
}
