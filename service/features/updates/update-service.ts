import type { Updates } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { notReady } from './own-updater.ts';
import type { Offer, Updater } from '../../platform/updater.ts';
import { messageOf, msg } from '../../messages/index.ts';

/** The updater of this build for the configured channel, or the reason why there is none. */
export interface UpdaterChoice {
  channel: Updates['channel'];
  updater: Updater | HostError;
}

/**
 * Dependencies of `UpdateService`. `choose` is called at the start and after each change of the
 * setting.
 */
export interface UpdateServiceOptions {
  build: Updates['build'];
  version: string;
  choose(): UpdaterChoice;
  /** Called with an unexpected failure, for the log. */
  onError(error: unknown): void;
}

interface Work {
  stop: AbortController;
  done: Promise<void>;
}

/** Finds, downloads and installs one update at a time. */
export class UpdateService {
  private readonly options: UpdateServiceOptions;
  private choice: UpdaterChoice;
  private state: Updates['state'] = 'idle';
  private available: Offer | null = null;
  private percent: number | null = null;
  private error: HostError | null;
  private work: Work | null = null;

  /** `error`: a failure before the start. */
  constructor(options: UpdateServiceOptions, error: HostError | null = null) {
    this.options = options;
    this.choice = options.choose();
    this.error = error;
  }

  show(): Updates {
    const { build, version } = this.options;
    const { channel, updater } = this.choice;
    const isReady = this.state === 'ready' || this.state === 'installing';
    const command = isReady && !(updater instanceof HostError) ? updater.command() : undefined;
    return {
      build,
      version,
      channel,
      state: this.state,
      ...(this.available === null ? {} : { available: this.available }),
      ...(this.percent === null ? {} : { percent: this.percent }),
      ...(this.error === null ? {} : { error: errorInfo(this.error) }),
      ...(updater instanceof HostError ? { unsupported: errorInfo(updater) } : {}),
      ...(command === undefined ? {} : { command }),
    };
  }

  /** Resolves with the found update. @throws HostError, which the state also contains */
  async check(): Promise<Updates> {
    const updater = this.requireUpdater();
    this.available = null;
    await this.run('checking', async (signal) => {
      this.available = await updater.check(signal);
      this.state = this.available === null ? 'current' : 'available';
    });
    if (this.error !== null) throw this.error;
    return this.show();
  }

  /** Returns once the download has started. */
  install(): Updates {
    const updater = this.requireUpdater();
    if (this.available === null || this.state !== 'available') throw noUpdate();
    this.percent = 0;
    void this.run('downloading', async (signal) => {
      await updater.download((percent) => (this.percent = Math.min(percent, 100)), signal);
      this.state = 'ready';
    });
    return this.show();
  }

  async cancel(): Promise<Updates> {
    if (this.state === 'checking' || this.state === 'downloading') await this.stop();
    return this.show();
  }

  async restart(): Promise<Updates> {
    const updater = this.requireUpdater();
    if (this.state !== 'ready') throw notReady();
    // An installation cannot be undone halfway, so it cannot be cancelled.
    this.state = 'installing';
    this.error = null;
    try {
      await updater.restart();
    } catch (error) {
      this.state = 'ready';
      this.error = this.toHostError(error);
      if (this.error.code === 'update_damaged') this.state = 'available';
      throw this.error;
    }
    return this.show();
  }

  /** Discards what was found on the previous channel. */
  async refreshChannel(): Promise<void> {
    await this.stop();
    if (this.state === 'installing') return;
    this.choice = this.options.choose();
    this.state = 'idle';
    this.available = null;
    this.error = null;
  }

  async stop(): Promise<void> {
    this.work?.stop.abort(cancelled());
    await this.work?.done;
  }

  private requireUpdater(): Updater {
    const { updater } = this.choice;
    if (updater instanceof HostError) throw updater;
    if (this.work !== null || this.state === 'installing') throw running();
    return updater;
  }

  /** Never rejects: the state contains the failure. */
  private run(state: Updates['state'], work: (signal: AbortSignal) => Promise<void>) {
    const before = this.available === null ? 'idle' : 'available';
    this.state = state;
    this.error = null;
    const stop = new AbortController();
    const done = work(stop.signal)
      .catch((error: unknown) => {
        this.state = before;
        if (!stop.signal.aborted) this.error = this.toHostError(error);
      })
      .finally(() => {
        this.work = null;
        this.percent = null;
      });
    this.work = { stop, done };
    return done;
  }

  private toHostError(error: unknown): HostError {
    if (error instanceof HostError) return error;
    this.options.onError(error);
    const message = msg('updates.failed');
    return new HostError('upstream-failed', 'update_failed', message, { cause: error });
  }
}

const errorInfo = ({ code, message, text }: HostError): NonNullable<Updates['error']> => ({
  code,
  message,
  text: messageOf(text),
});

function running(): HostError {
  const message = msg('updates.running');
  return new HostError('conflict', 'update_running', message);
}

function noUpdate(): HostError {
  const message = msg('updates.noneFound');
  return new HostError('conflict', 'no_update', message);
}

function cancelled(): HostError {
  return new HostError('conflict', 'update_cancelled', msg('updates.cancelled'));
}
