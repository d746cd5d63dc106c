import { setImmediate } from 'node:timers/promises';
import { RpcError, rpcCodes } from './plugin-kit/worker.mjs';

const MIB = 1024 * 1024;

export const limits = {
  /** Size of one file. */
  fileBytes: 128 * MIB,
  /** Unpacked size of one DOCX file. */
  unpackedBytes: 384 * MIB,
  /** Number of files of a call that reads. */
  files: 1_000,
  mergedFiles: 100,
  mergedBytes: 256 * MIB,
  /** Number of pages of one file, and of a merged file. */
  pages: 5_000,
  parts: 500,
  textCharacters: 1_000_000,
  matches: 1_000,
};

/**
 * Returns a failure with a stable `reason`. The page shows it in its own language with `values`.
 * @param {string} reason
 * @param {string} message
 * @param {Record<string, unknown>} [values]
 */
export const refuse = (reason, message, values = {}) =>
  new RpcError(rpcCodes.failed, message, { reason, ...values });

/** @param {number} value */
export const shown = (value) => value.toLocaleString('en-US');

/**
 * Yields to the event loop so that a cancellation can arrive, and throws if it has.
 * @param {AbortSignal} signal
 */
export async function pause(signal) {
  await setImmediate();
  signal.throwIfAborted();
}
