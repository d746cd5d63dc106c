import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../../core/host-error.ts';
import type { Bridge } from './bridge-process.ts';
import {
  fileDamagedCode,
  fileHeldCode,
  fileMissingCode,
  H2Error,
  readOnlyCode,
} from './h2-errors.ts';
import { type H2Purpose, h2UrlOf } from './h2-file.ts';
import { H2Session } from './h2-session.ts';

/** Every query ends after this, and its connection with it. */
export const queryLimitMs = 30_000;
/** Opening the file, once Java runs. */
const openLimitMs = 5_000;
/** The bridge of a host that was killed takes a moment to let go of the file; Java's start counts. */
const lockWaitMs = 4_000;
const lockPollMs = 100;

export interface H2Login {
  file: string;
  user: string;
  password: string;
}

/**
 * One database file in one bridge. A bridge that is gone is followed by a new one with the next
 * session. The first session of each stays open, so that the file stays ours between queries.
 */
export class H2Engine {
  readonly queryLimitMs: number;
  private readonly login: H2Login;
  private readonly start: () => Promise<Bridge>;
  private current: Promise<Bridge> | null = null;
  private closed = false;

  constructor(start: () => Promise<Bridge>, login: H2Login, limitMs = queryLimitMs) {
    this.start = start;
    this.login = login;
    this.queryLimitMs = limitMs;
  }

  /** Starts the bridge where there is none. Its errors are those of opening the file. */
  async bridge(): Promise<Bridge> {
    if (this.closed) throw closing();
    const known = (this.current ??= this.startAndOpen());
    const forget = (): void => {
      if (this.current === known) this.current = null;
    };
    try {
      const bridge = await known;
      if (!bridge.gone) return bridge;
    } catch (error) {
      forget();
      throw error;
    }
    forget();
    return this.bridge();
  }

  /**
   * Starts a bridge that has read the file, without changing it, and has let go of it. A file that is
   * not there is passed over.
   */
  async reader(untilMs = performance.now() + lockWaitMs): Promise<Bridge> {
    const bridge = await this.start();
    try {
      await whenLetGo(bridge, untilMs, () => read(bridge, this.login));
      return bridge;
    } catch (error) {
      // A host that was killed had a transaction open; it is taken back when the file is used.
      if (/store is read-only/.test((error as Error).message)) return this.start();
      throw error;
    }
  }

  async session(login = this.login): Promise<H2Session> {
    return openSession(await this.bridge(), login, 'using');
  }

  async close(): Promise<void> {
    this.closed = true;
    const bridge = await this.current?.catch(() => null);
    await bridge?.close();
  }

  /** H2 would begin anew in a damaged file, so it is read first. */
  private async startAndOpen(): Promise<Bridge> {
    const untilMs = performance.now() + lockWaitMs;
    const bridge = await this.reader(untilMs);
    await whenLetGo(bridge, untilMs, () => openSession(bridge, this.login, 'using'));
    return bridge;
  }
}

/** Waits for a file that is held. A bridge that cannot open it is ended. */
async function whenLetGo(
  bridge: Bridge,
  untilMs: number,
  open: () => Promise<unknown>,
): Promise<void> {
  for (;;) {
    try {
      await open();
      return;
    } catch (error) {
      if (codeOf(error) !== fileHeldCode || performance.now() > untilMs) {
        await bridge.kill();
        throw error;
      }
    }
    await delay(lockPollMs);
  }
}

async function read(bridge: Bridge, login: H2Login): Promise<void> {
  try {
    const session = await openSession(bridge, login, 'reading');
    await session.close();
  } catch (error) {
    if (codeOf(error) === fileMissingCode) return;
    // It found nothing, and wants to begin anew.
    if (codeOf(error) === readOnlyCode)
      throw new H2Error('There is no database in the file.', fileDamagedCode);
    throw error;
  }
}

async function openSession(
  bridge: Bridge,
  { file, user, password }: H2Login,
  purpose: H2Purpose,
): Promise<H2Session> {
  const session = new H2Session(bridge);
  await session.open({ url: h2UrlOf(file, purpose), user, password }, openLimitMs);
  return session;
}

function codeOf(error: unknown): string {
  return (error as H2Error).code;
}

function closing(): HostError {
  return new HostError('unavailable', 'database_closed', 'The database is closed.');
}
