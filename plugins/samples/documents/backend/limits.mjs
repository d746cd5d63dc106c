import { setImmediate } from 'node:timers/promises';
import { RpcError, rpcCodes } from './plugin-kit/worker.mjs';

const MIB = 1024 * 1024;

export const limits = {
  /** Of one file. */
  fileBytes: 128 * MIB,
  /** Of what is unpacked of one DOCX file. */
  unpackedBytes: 384 * MIB,
  /** Of a call that reads. */
  files: 1_000,
  mergedFiles: 100,
  mergedBytes: 256 * MIB,
  /** Of one file, and of a merged one. */
  pages: 5_000,
  parts: 500,
  textCharacters: 1_000_000,
  matches: 1_000,
};

/**
 * A failure with a stable `reason`. The page words it in its own language, with `values`.
 * @param {string} reason
 * @param {string} message
 * @param {Record<string, unknown>} [values]
 */
export const refuse = (reason, message, values = {}) =>
  new RpcError(rpcCodes.failed, message, { reason, ...values });

/** @param {number} value */
export const shown = (value) => value.toLocaleString('en-US');

/**
 * Lets the worker hear that the call was cancelled.
 * @param {AbortSignal} signal
 */
export async function pause(signal) {
  await setImmediate();
  signal.throwIfAborted();
}
