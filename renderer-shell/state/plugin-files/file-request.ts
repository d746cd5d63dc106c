import { ServiceError } from '../../../service/client/index.ts';
import { bridgeCodes, BridgeFailure } from '../plugin-frame/bridge-messages.ts';
import type { Store } from '../../core/store.ts';
import { createStore } from '../../core/store.ts';

/** 2 GiB over a slow disk; one that stands still is ended by the service. */
const TRANSFER_LIMIT_MS = 60 * 60_000;

/** State of a transfer between a plugin's page and the person's files. */
export interface FileRequestState {
  /** What is carried over now; null while the user is asked. `totalBytes` is null where not known. */
  transfer: { doneBytes: number; totalBytes: number | null } | null;
  /** What went wrong, while it can be tried again; else null. */
  error: unknown;
}

/** How one attempt reports, and learns of its end. */
export interface Transfer {
  signal: AbortSignal;
  progress: (doneBytes: number, totalBytes: number | null) => void;
}

let made = 0;

/**
 * What the page of a plugin asks the user for, from the question to its outcome. It ends with the
 * page (`closing`), with the user's no, or with what came of it.
 */
export class FileRequest<T> {
  /** Tells one question from another. */
  readonly key: number = ++made;
  readonly pluginId: string;
  readonly state: Store<FileRequestState> = createStore<FileRequestState>({
    transfer: null,
    error: null,
  });
  /** Cancels, and lets the page ask for nothing more; only where it has been refused before. */
  silence?: () => void;
  readonly #settled = Promise.withResolvers<T>();
  readonly #abort = new AbortController();

  constructor(pluginId: string, closing: AbortSignal) {
    this.pluginId = pluginId;
    const onClosing = () => this.#fail(closing.reason);
    if (closing.aborted) onClosing();
    closing.addEventListener('abort', onClosing, { once: true, signal: this.#abort.signal });
  }

  /** Rejects with `BridgeFailure`, `ServiceError` or the reason of the page's end. */
  get outcome(): Promise<T> {
    return this.#settled.promise;
  }

  /** The user's no. */
  cancel(): void {
    const { error } = this.state.get();
    this.#fail(error instanceof ServiceError ? error : cancelled());
  }

  /** One attempt at a time. What can be put right is shown, and the question stays. */
  protected async carryOut(work: (transfer: Transfer) => Promise<T>): Promise<void> {
    if (this.state.get().transfer || this.#abort.signal.aborted) return;
    this.state.set({ transfer: { doneBytes: 0, totalBytes: null }, error: null });
    try {
      const limit = AbortSignal.timeout(TRANSFER_LIMIT_MS);
      const result = await work({
        signal: AbortSignal.any([this.#abort.signal, limit]),
        progress: (doneBytes, totalBytes) =>
          this.state.set({ transfer: { doneBytes, totalBytes }, error: null }),
      });
      this.#settled.resolve(result);
      this.#abort.abort();
    } catch (error) {
      if (isFinal(error)) this.#fail(error);
      else this.refuse(error);
    }
  }

  /** Says what was wrong with the answer of the user; the question stays. */
  refuse(error: unknown): void {
    this.state.set({ transfer: null, error });
  }

  #fail(reason: unknown): void {
    this.#settled.reject(reason);
    this.#abort.abort(reason);
  }
}

/** No other choice of the user would help. */
const isFinal = (error: unknown): boolean =>
  error instanceof ServiceError && [401, 403, 404, 409].includes(error.problem.status);

const cancelled = () =>
  new BridgeFailure(bridgeCodes.cancelled, 'The user cancelled. Nothing was handed over.');
