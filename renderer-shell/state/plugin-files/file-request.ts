import { ServiceError } from '../../../service/client/index.ts';
import { bridgeCodes, BridgeFailure } from '../plugin-frame/bridge-messages.ts';
import type { Store } from '../../core/store.ts';
import { createStore } from '../../core/store.ts';

/** Enough for 2 GiB on a slow disk; the service ends a stalled transfer. */
const TRANSFER_LIMIT_MS = 60 * 60_000;

/** The state of an open file request. */
export interface FileRequestState {
  /** The transfer in progress; null while the user is asked. `totalBytes` is null if unknown. */
  transfer: { doneBytes: number; totalBytes: number | null } | null;
  /** The error of the last attempt while it can be repeated; else null. */
  error: unknown;
}

/** Progress and cancellation of one attempt. */
export interface Transfer {
  signal: AbortSignal;
  progress: (doneBytes: number, totalBytes: number | null) => void;
}

let requestCount = 0;

/**
 * A request of a plugin page to the user, from the question to its outcome. It ends with the page
 * (`closing`), when the user declines, or with the result.
 */
export class FileRequest<T> {
  /** Identifies the request. */
  readonly key: number = ++requestCount;
  readonly pluginId: string;
  readonly state: Store<FileRequestState> = createStore<FileRequestState>({
    transfer: null,
    error: null,
  });
  /** Cancels, and refuses further requests of the page; present only after earlier refusals. */
  silence?: () => void;
  readonly #settled = Promise.withResolvers<T>();
  readonly #settledController = new AbortController();

  constructor(pluginId: string, closing: AbortSignal) {
    this.pluginId = pluginId;
    const onClosing = () => this.#fail(closing.reason);
    if (closing.aborted) onClosing();
    closing.addEventListener('abort', onClosing, {
      once: true,
      signal: this.#settledController.signal,
    });
  }

  /** Rejects with `BridgeFailure`, `ServiceError` or the abort reason of the page. */
  get outcome(): Promise<T> {
    return this.#settled.promise;
  }

  /** Declines the request. */
  cancel(): void {
    const { error } = this.state.get();
    this.#fail(error instanceof ServiceError ? error : cancelled());
  }

  /** Runs one attempt at a time. A recoverable error is shown, and the request stays open. */
  protected async carryOut(work: (transfer: Transfer) => Promise<T>): Promise<void> {
    if (this.state.get().transfer || this.#settledController.signal.aborted) return;
    this.state.set({ transfer: { doneBytes: 0, totalBytes: null }, error: null });
    try {
      const limit = AbortSignal.timeout(TRANSFER_LIMIT_MS);
      const result = await work({
        signal: AbortSignal.any([this.#settledController.signal, limit]),
        progress: (doneBytes, totalBytes) =>
          this.state.set({ transfer: { doneBytes, totalBytes }, error: null }),
      });
      this.#settled.resolve(result);
      this.#settledController.abort();
    } catch (error) {
      if (isFinal(error)) this.#fail(error);
      else this.refuse(error);
    }
  }

  /** Shows why the answer of the user is not usable; the request stays open. */
  refuse(error: unknown): void {
    this.state.set({ transfer: null, error });
  }

  #fail(reason: unknown): void {
    this.#settled.reject(reason);
    this.#settledController.abort(reason);
  }
}

/** Returns true if no other choice of the user would help. */
const isFinal = (error: unknown): boolean =>
  error instanceof ServiceError && [401, 403, 404, 409].includes(error.problem.status);

const cancelled = () =>
  new BridgeFailure(bridgeCodes.cancelled, 'The user cancelled. Nothing was handed over.');
