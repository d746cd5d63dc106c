import { createHash } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { UnpackedPlugin } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { JsonLines } from '../../core/json-lines.ts';
import { withTimeoutOrNull } from '../../core/with-timeout.ts';
import { type HostText, messageOf, msg, textOf } from '../../messages/index.ts';
import type { OwnedProcess } from '../../platform/processes.ts';
import { type DevEvent, devEventOf } from './dev-events.ts';
import { type KitProgram, tailOf } from '../plugins/index.ts';

/** Maximum number of consecutive failed starts. */
const maxStarts = 3;
/** A program that ran this long did not fail to start. */
const steadyMs = 60_000;
const restartDelayMs = 1_000;
const maxLineBytes = 4 * 1024 * 1024;
/** Time to wait for the last output after the program has ended. */
const drainMs = 1_000;

type Facts = Omit<UnpackedPlugin, 'key' | 'directory' | 'reason' | 'reasonMessage'>;

/** Callbacks of a loaded folder. */
export interface FolderListener {
  /**
   * Called before the state changes to `watching`. Returns the reason why the folder cannot stay
   * loaded, null if it can.
   */
  onInstalled: (id: string, previousId: string | null) => HostText | null;
}

export const keyOf = (directory: string): string =>
  createHash('sha256').update(directory).digest('hex').slice(0, 16);

/** A loaded folder: the kit installs it after each change while it is watched. */
export class UnpackedFolder {
  readonly directory: string;
  readonly key: string;
  readonly #kit: KitProgram;
  readonly #listener: FolderListener;
  #facts: Facts;
  #reason: HostText | undefined;
  #watching: { controller: AbortController; done: Promise<void> } | null = null;

  constructor(
    { directory, id }: { directory: string; id: string | null },
    kit: KitProgram,
    listener: FolderListener,
  ) {
    this.directory = directory;
    this.key = keyOf(directory);
    this.#kit = kit;
    this.#listener = listener;
    this.#facts = { id, version: null, installedAt: null, state: 'starting', findings: [] };
  }

  get id(): string | null {
    return this.#facts.id;
  }

  get state(): UnpackedPlugin['state'] {
    return this.#facts.state;
  }

  /** True if this host has installed it since its start. */
  get isInstalled(): boolean {
    return this.#facts.installedAt !== null;
  }

  view(): UnpackedPlugin {
    const { directory, key } = this;
    const view = { key, directory, ...this.#facts };
    if (this.#reason === undefined) return view;
    const reason = { reason: textOf(this.#reason), reasonMessage: messageOf(this.#reason) };
    return { ...view, ...reason };
  }

  /** Starts watching; does nothing if it is watched already. */
  start(): void {
    if (this.#watching !== null) return;
    this.#become({ state: 'starting', findings: [] });
    const controller = new AbortController();
    const done = this.#watch(controller.signal)
      .catch((error: unknown) => {
        this.#fail(error instanceof HostError ? error.text : String(error));
      })
      .finally(() => (this.#watching = null));
    this.#watching = { controller, done };
  }

  /** Resolves when the whole process tree has ended. */
  async stop(): Promise<void> {
    this.#watching?.controller.abort();
    await this.#watching?.done;
    if (this.state !== 'failed') this.#become({ state: 'starting', findings: [] });
  }

  /** Restarts the kit a few times if it ends by itself. */
  async #watch(signal: AbortSignal): Promise<void> {
    for (let starts = 1; !signal.aborted; starts += 1) {
      const problem = await folderProblem(this.directory);
      if (problem !== null) return this.#fail(problem);
      const startedMs = performance.now();
      const errorOutput = await this.#runKit(signal);
      if (signal.aborted) return;
      if (performance.now() - startedMs > steadyMs) starts = 1;
      if (starts >= maxStarts) return this.#fail(msg('unpacked.kitEnds', { reason: errorOutput }));
      await delay(restartDelayMs * starts, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Resolves with its error output when it has ended. */
  async #runKit(signal: AbortSignal): Promise<string> {
    const child = await this.#kit.dev(this.directory);
    const errorOutput = tailOf(child);
    const stop = (): void => void this.#kit.stop(child);
    signal.addEventListener('abort', stop, { once: true });
    try {
      if (signal.aborted) stop();
      await this.#read(child);
      return errorOutput();
    } finally {
      signal.removeEventListener('abort', stop);
      await this.#kit.stop(child);
    }
  }

  async #read({ stdout, exited }: OwnedProcess): Promise<void> {
    const lines = new JsonLines({
      maxLineBytes,
      onLine: (line) => {
        const event = devEventOf(line);
        if (event !== null) this.#take(event);
      },
      onTooLong: () => this.#fail(msg('unpacked.tooManyFindings')),
    });
    const read = new Promise<void>((resolve) => {
      stdout.on('data', (chunk: Buffer) => lines.push(chunk));
      stdout.once('close', resolve);
    });
    await exited;
    await withTimeoutOrNull(drainMs, read);
    lines.end();
  }

  #take(event: DevEvent): void {
    if (event.event === 'failed')
      return this.#become({ state: 'refused', findings: [] }, event.message);
    const { findings } = event;
    if (event.event === 'refused') return this.#become({ state: 'refused', findings });
    const { id, version } = event;
    const previousId = this.#facts.id;
    const installedAt = new Date().toISOString();
    this.#become({ id, version, installedAt, state: 'watching', findings });
    const reason = this.#listener.onInstalled(id, previousId);
    if (reason === null) return;
    this.#watching?.controller.abort();
    this.#fail(reason);
  }

  #fail(reason: HostText): void {
    this.#become({ state: 'failed' }, reason);
  }

  #become(change: Partial<Facts>, reason?: HostText): void {
    this.#facts = { ...this.#facts, ...change };
    this.#reason = reason;
  }
}

/** Returns the reason why a folder contains no plugin, null if it does. */
export async function folderProblem(directory: string): Promise<HostText | null> {
  const isThere = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    );
  if (!(await isThere(directory))) return msg('unpacked.folderMissing', { directory });
  if (await isThere(join(directory, 'manifest.json'))) return null;
  return msg('unpacked.noManifest', { directory });
}
