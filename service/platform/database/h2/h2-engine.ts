import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../../core/host-error.ts';
import type { Bridge } from './bridge-process.ts';
import type { H2Error } from './h2-errors.ts';
import { H2Session } from './h2-session.ts';

/** Every query ends after this, and its connection with it. */
export const queryLimitMs = 30_000;
/** Opening the file, once Java runs. */
const openLimitMs = 5_000;
/** The bridge of a host that was killed takes a moment to let go of the file; Java's start counts. */
const lockWaitMs = 4_000;
const lockPollMs = 100;
const fileLocked = '90020';

export interface H2Login {
  url: string;
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
  private sessions = 0;
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

  async session(login = this.login): Promise<H2Session> {
    return this.openSession(await this.bridge(), login);
  }

  async close(): Promise<void> {
    this.closed = true;
    const bridge = await this.current?.catch(() => null);
    await bridge?.close();
  }

  private async startAndOpen(): Promise<Bridge> {
    const untilMs = performance.now() + lockWaitMs;
    const bridge = await this.start();
    for (;;) {
      try {
        await this.openSession(bridge, this.login);
        return bridge;
      } catch (error) {
        const locked = (error as H2Error).code === fileLocked;
        if (!locked || performance.now() > untilMs) {
          await bridge.kill();
          throw error;
        }
      }
      await delay(lockPollMs);
    }
  }

  private async openSession(bridge: Bridge, login: H2Login): Promise<H2Session> {
    const session = new H2Session(bridge, (this.sessions += 1));
    await session.open(login, openLimitMs);
    return session;
  }
}

function closing(): HostError {
  return new HostError('unavailable', 'database_closed', 'The database is closed.');
}
