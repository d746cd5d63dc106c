import { RpcError, rpcCodes } from './rpc-error.mjs';
import { notify, sendError, sendResult } from './wire.mjs';

/**
 * @typedef {object} Call
 * @property {AbortSignal} signal aborted when the caller cancels; the call is answered by then
 * @property {(percent: number, message?: string) => void} progress percent is 0 to 100
 */

/** One request that was not answered yet. The second answer of a call is dropped. */
export class OpenCall {
  #abort = new AbortController();
  #answered = false;

  /**
   * @param {string | number} id
   * @param {() => void} ended runs before the answer leaves, so that the id is free by then
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
   * Data that JSON cannot carry is left out.
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
