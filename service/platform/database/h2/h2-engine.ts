import { setTimeout as delay } from 'node:timers/promises';
import { HostError } from '../../../core/host-error.ts';
import { msg } from '../../../messages/index.ts';
import type { Bridge } from './bridge-process.ts';
import {
  fileDamagedCode,
  fileLockedCode,
  fileMissingCode,
  H2Error,
  readOnlyCode,
  schemaMissingCode,
} from './h2-errors.ts';
import { type H2Folding, h2UrlOf } from './h2-file.ts';
import { H2Session } from './h2-session.ts';

/** Limit of a query, in ms; it also ends the connection. */
export const queryLimitMs = 30_000;
/** Limit for opening the file once Java runs, in ms. */
const openLimitMs = 5_000;
/** Time for the bridge of a killed host to release the file, in ms, including the start of Java. */
const lockWaitMs = 4_000;
const lockPollMs = 100;

/** File and user of an H2 database; `file` is an absolute path without the suffix `.mv.db`. */
export interface H2Login {
  file: string;
  user: string;
  password: string;
  /** Tried first. */
  folding?: H2Folding | undefined;
}

/**
 * One database file in one bridge. If the bridge has ended, the next session starts a new one. The
 * first session of each bridge stays open, which keeps the lock on the file between queries.
 */
export class H2Engine {
  readonly queryLimitMs: number;
  private readonly login: H2Login;
  private readonly start: () => Promise<Bridge>;
  private current: Promise<Bridge> | null = null;
  private closed = false;
  /** Null until the file was opened. */
  private foundFolding: H2Folding | null = null;

  constructor(start: () => Promise<Bridge>, login: H2Login, limitMs = queryLimitMs) {
    this.start = start;
    this.login = login;
    this.queryLimitMs = limitMs;
  }

  /** Folding of the opened file. */
  get folding(): H2Folding {
    return this.foundFolding ?? 'lower';
  }

  /** Returns the bridge, starting it if necessary. @throws the errors of opening the file */
  async bridge(): Promise<Bridge> {
    if (this.closed) throw closing();
    const current = (this.current ??= this.startAndOpen());
    const forget = (): void => {
      if (this.current === current) this.current = null;
    };
    try {
      const bridge = await current;
      if (!bridge.hasEnded) return bridge;
    } catch (error) {
      forget();
      throw error;
    }
    forget();
    return this.bridge();
  }

  /**
   * Starts a bridge that has read the file without changing it, and has released it. A missing file
   * is skipped; for an existing one, `onRead` can read more.
   */
  async reader(
    onRead: (session: H2Session) => Promise<void> = () => Promise.resolve(),
    untilMs = performance.now() + lockWaitMs,
  ): Promise<Bridge> {
    try {
      return await this.withFolding(async (folding) => {
        const bridge = await this.start();
        const exists = await waitForRelease(bridge, untilMs, () =>
          this.read(bridge, folding, onRead),
        );
        return { value: bridge, folding: exists ? folding : 'lower' };
      });
    } catch (error) {
      // A killed host left an open transaction, which is rolled back when the file is opened.
      if (/store is read-only/.test((error as Error).message)) return this.start();
      throw error;
    }
  }

  async session(login = this.login): Promise<H2Session> {
    const bridge = await this.bridge();
    return openSession(bridge, login, h2UrlOf(login.file, 'using', this.folding));
  }

  async close(): Promise<void> {
    this.closed = true;
    const bridge = await this.current?.catch(() => null);
    await bridge?.close();
  }

  /** H2 would replace a damaged file with an empty database, so the file is read first. */
  private async startAndOpen(): Promise<Bridge> {
    const untilMs = performance.now() + lockWaitMs;
    let ready: Bridge | null = await this.reader(undefined, untilMs);
    return this.withFolding(async (folding) => {
      const bridge = ready ?? (await this.start());
      ready = null;
      const url = h2UrlOf(this.login.file, 'using', folding);
      await waitForRelease(bridge, untilMs, () => openSession(bridge, this.login, url));
      return { value: bridge, folding };
    });
  }

  /**
   * Tries both foldings until one is known. A failed attempt leaves the file locked in its process,
   * so each attempt uses its own bridge.
   */
  private async withFolding<T>(
    attempt: (folding: H2Folding) => Promise<{ value: T; folding: H2Folding }>,
  ): Promise<T> {
    const first = this.foundFolding ?? this.login.folding ?? 'lower';
    const second = first === 'lower' ? 'upper' : 'lower';
    const found = await attempt(first).catch((error: unknown) => {
      if (this.foundFolding !== null || codeOf(error) !== schemaMissingCode) throw error;
      return attempt(second);
    });
    this.foundFolding = found.folding;
    return found.value;
  }

  /** Returns true if there is a file. */
  private async read(
    bridge: Bridge,
    folding: H2Folding,
    onRead: (session: H2Session) => Promise<void>,
  ): Promise<boolean> {
    try {
      const url = h2UrlOf(this.login.file, 'reading', folding);
      const session = await openSession(bridge, this.login, url);
      await onRead(session).finally(() => session.close());
      return true;
    } catch (error) {
      if (codeOf(error) === fileMissingCode) return false;
      // H2 found no database and would create a new one.
      if (codeOf(error) === readOnlyCode)
        throw new H2Error('There is no database in the file.', fileDamagedCode);
      throw error;
    }
  }
}

/** Waits for a locked file. A bridge that cannot open it is ended. */
async function waitForRelease<T>(
  bridge: Bridge,
  untilMs: number,
  open: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (codeOf(error) !== fileLockedCode || performance.now() > untilMs) {
        await bridge.kill();
        throw error;
      }
    }
    await delay(lockPollMs);
  }
}

async function openSession(
  bridge: Bridge,
  { user, password }: H2Login,
  url: string,
): Promise<H2Session> {
  const session = new H2Session(bridge);
  await session.open({ url, user, password }, openLimitMs);
  return session;
}

function codeOf(error: unknown): string {
  return (error as H2Error).code;
}

function closing(): HostError {
  return new HostError('unavailable', 'database_closed', msg('database.closed'));
}
