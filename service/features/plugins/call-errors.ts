import type { InvokeReply } from '../../contract/index.ts';
import { isMessage } from '../../messages/index.ts';
import { type ErrorKind, HostError } from '../../core/host-error.ts';
import { WorkerError } from './workers/plugin-worker.ts';

type WorkerErrorKind = WorkerError['kind'];

const problems: Record<Exclude<WorkerErrorKind, 'worker-error'>, [ErrorKind, string]> = {
  crashed: ['upstream-failed', 'worker_crashed'],
  'could-not-start': ['upstream-failed', 'worker_could_not_start'],
  'line-too-long': ['upstream-failed', 'worker_line_too_long'],
  cancelled: ['conflict', 'call_cancelled'],
  disabled: ['conflict', 'plugin_disabled'],
  quarantined: ['conflict', 'plugin_quarantined'],
  'missing-runtime': ['conflict', 'missing_runtime'],
  'sandbox-unavailable': ['conflict', 'sandbox_unavailable'],
  'missing-permission': ['forbidden', 'missing_permission'],
  'timed-out': ['upstream-timeout', 'worker_timed_out'],
  overloaded: ['unavailable', 'worker_overloaded'],
};

/** An error that the worker itself answered with is a reply; any other failure is a problem. */
export function replyToWorkerError(callId: string, error: unknown): InvokeReply {
  if (!(error instanceof WorkerError)) throw error;
  if (error.kind === 'worker-error') {
    const { rpcCode: code, message, text, data } = error;
    return {
      callId,
      error: {
        code,
        message,
        ...(isMessage(text) ? { text } : {}),
        ...(data === undefined ? {} : { data }),
      },
    };
  }
  const [kind, code] = problems[error.kind];
  throw new HostError(kind, code, error.text, { rpcCode: error.rpcCode, cause: error });
}
