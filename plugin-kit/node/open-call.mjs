import { RpcError, rpcCodes } from './rpc-error.mjs';
import { notify, sendError, sendResult } from './wire.mjs';

/**
 * @typedef {object} Call
 * @property {AbortSignal} signal aborted when the caller cancels; the call has been answered by then
 * @property {(percent: number, message?: string) => void} progress percent is 0 to 100
 */

/** A request without an answer yet. Ignores further answers of the same call. */
export class OpenCall {
  #abort = new AbortController();
  #answered = false;

  /**
   * @param {string | number} id
   * @param {() => void} ended runs before the answer is sent, so that the id is free by then
   */
  constructor(id, ended) {
    this.id = id;
    this.ended = ended;
  }

  get isCancelled() {
    return this.#abort.signal.aborted;
  }

  /** @returns {Call} */
  forHandler() {
    return {
      signal: this.#abort.signal,
      progress: (percent, message) => {
        const bounded = Math.max(0, Math.min(100, percent));
        if (!this.#answered) notify('host.progress', { id: this.id, percent: bounded, message });
      },
    };
  }

  cancel() {
    const cancelled = new RpcError(rpcCodes.cancelled, 'The call was cancelled.');
    this.fail(cancelled);
    this.#abort.abort(cancelled);
  }

  /** @param {unknown} result */
  succeed(result) {
    if (this.#end()) sendResult(this.id, result);
  }

  /**
   * Fails the call. Drops data that JSON cannot represent.
   * @param {RpcError} error
   */
  fail({ code, message, data }) {
    if (!this.#end()) return;
    try {
      sendError(this.id, { code, message, data });
    } catch {
      sendError(this.id, { code, message });
    }
  }

  #end() {
    if (this.#answered) return false;
    this.#answered = true;
    this.ended();
    return true;
  }
}
