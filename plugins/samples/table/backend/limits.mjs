import { setImmediate } from 'node:timers/promises';
import { RpcError, rpcCodes } from './plugin-kit/worker.mjs';

const MIB = 1024 * 1024;

export const limits = {
  /** Size of one file. */
  fileBytes: 64 * MIB,
  /** Unpacked size of one workbook. */
  unpackedBytes: 384 * MIB,
  files: 100,
  /** Rows of all files of a call together. */
  rows: 500_000,
  cells: 5_000_000,
  columns: 1_000,
  /** Rows of an answer; a saved result contains all rows. */
  resultRows: 10_000,
  resultCharacters: 8_000_000,
  chartPoints: 1_000,
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

/** Counts the rows and cells of all files of a call. */
export class Budget {
  rows = 0;
  cells = 0;

  /**
   * @param {string} file
   * @param {number} columns
   */
  addRow(file, columns) {
    if (columns > limits.columns)
      throw refuse('too_many_columns', `${file} has more than ${shown(limits.columns)} columns.`, {
        file,
        limit: limits.columns,
      });
    this.rows += 1;
    this.cells += columns;
    if (this.rows > limits.rows)
      throw refuse('too_many_rows', `${file} goes beyond ${shown(limits.rows)} rows in all.`, {
        file,
        limit: limits.rows,
      });
    if (this.cells > limits.cells)
      throw refuse('too_many_cells', `${file} goes beyond ${shown(limits.cells)} cells in all.`, {
        file,
        limit: limits.cells,
      });
  }
}
