import { Mutex } from 'async-mutex';
import { HostError } from '../../../core/host-error.ts';
import { orAborted } from '../../../core/or-aborted.ts';
import { withTimeoutOrNull } from '../../../core/with-timeout.ts';
import type {
  BrowserAction,
  BrowserEngine,
  BrowserProfile,
  ActionResult,
  ActionInput,
} from '../../../platform/browser/browser-engine.ts';
import { GuardProxy, type ProxyFailure } from '../../../platform/web/guard-proxy.ts';
import { checkUrl } from '../../../platform/web/check-url.ts';
import { publicOnly, type NetworkPolicy } from '../../../platform/web/network-policy.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** Bytes that pages may send and receive during one call and until the next one. */
const maxBytes = 32 * 1024 ** 2;
const maxSessions = 6;
/** Origins that one browser may open without asking again; the oldest ones are forgotten first. */
const maxOpened = 500;
/** Idle time after which the browser of a conversation is closed. */
const idleMs = 10 * 60_000;
const closeMs = 5_000;

/** Dependencies of `BrowserSessions`. `idleMs` closes an unused browser. */
export interface BrowserSessionsOptions {
  engine: BrowserEngine;
  /** `host.web.allow`. */
  allow: readonly string[];
  /**
   * Returns the reason why a browser with permission for `opened` must not visit another address,
   * null if it may.
   */
  objectionTo: (url: URL, opened: readonly string[]) => Message | null;
  idleMs?: number;
}

interface Session {
  lock: Mutex;
  calls: number;
  usedMs: number;
  /** Origins that calls had permission to open. */
  opened: Set<string>;
  /** Undefined until something is opened. */
  open?: Promise<{ profile: BrowserProfile; proxy: GuardProxy }>;
  idle?: NodeJS.Timeout;
}

/**
 * One browser profile for each conversation and run that uses the browser, with its own guarded
 * network access.
 */
export class BrowserSessions {
  private readonly options: BrowserSessionsOptions;
  private readonly sessions = new Map<string, Session>();
  private readonly networkPolicy: NetworkPolicy;
  private readonly closing = new Set<Promise<void>>();
  private closed = false;

  constructor(options: BrowserSessionsOptions) {
    this.options = options;
    this.networkPolicy = publicOnly(options.allow);
  }

  has(name: string): boolean {
    return this.sessions.get(name)?.open !== undefined;
  }

  /**
   * Performs an action after the earlier ones of the session.
   * @throws HostError as the profile does; `address_refused`, `too_large`; the reason of `signal`
   */
  async run<Action extends BrowserAction>(
    name: string,
    call: { action: Action; args: ActionInput<Action> },
    signal: AbortSignal,
  ): Promise<ActionResult<Action>> {
    const address = 'url' in call.args ? this.checked(call.args.url) : null;
    const session = this.sessionOf(name);
    if (address !== null) remember(session.opened, address);
    clearTimeout(session.idle);
    session.calls += 1;
    try {
      return await session.lock.runExclusive(async () => {
        signal.throwIfAborted();
        return orAborted(this.act(name, session, call), signal);
      });
    } finally {
      session.calls -= 1;
      session.usedMs = performance.now();
      if (session.calls === 0) {
        const { idleMs: idle = idleMs } = this.options;
        session.idle = setTimeout(() => void this.end(name), idle).unref();
      }
    }
  }

  /** Closes the browser of a conversation or run. Returns false if it had none. */
  async end(name: string): Promise<boolean> {
    const session = this.sessions.get(name);
    this.sessions.delete(name);
    clearTimeout(session?.idle);
    if (!session?.open) return false;
    const closing = shut(session.open).finally(() => this.closing.delete(closing));
    this.closing.add(closing);
    await closing;
    return true;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const name of this.sessions.keys()) void this.end(name);
    await this.options.engine.close();
    await Promise.all(this.closing);
  }

  /** Records the origin of an address that the call had permission to open. */
  private checked(text: string): string {
    const url = checkUrl(text, this.networkPolicy);
    const reason = this.options.objectionTo(url, [url.href]);
    if (reason !== null) throw forbidden(reason);
    return url.origin;
  }

  private sessionOf(name: string): Session {
    if (this.closed)
      throw new HostError('unavailable', 'browser_unavailable', msg('host.isClosing'));
    const existing = this.sessions.get(name);
    if (existing) return existing;
    if (this.sessions.size >= maxSessions) this.evictOldest();
    const session: Session = {
      lock: new Mutex(),
      calls: 0,
      usedMs: performance.now(),
      opened: new Set(),
    };
    this.sessions.set(name, session);
    return session;
  }

  /** Closes the session with the longest idle time. */
  private evictOldest(): void {
    const unused = [...this.sessions].filter(([, { calls }]) => calls === 0);
    const [oldest] = unused.sort(([, one], [, other]) => one.usedMs - other.usedMs);
    const message = msg('browser.tooMany', { count: maxSessions });
    if (!oldest) throw new HostError('unavailable', 'too_many_browsers', message);
    void this.end(oldest[0]);
  }

  private async act<Action extends BrowserAction>(
    name: string,
    session: Session,
    { action, args }: { action: Action; args: ActionInput<Action> },
  ): Promise<ActionResult<Action>> {
    session.open ??= this.open(session);
    const { profile, proxy } = await session.open.catch((error: unknown) => {
      delete session.open;
      throw error;
    });
    proxy.reset();
    try {
      const done = await profile.run(action, args);
      this.requireAllowed(done, session);
      const refused = proxy.failures.filter((failure) => failure.refused);
      return { ...done, notes: [...done.notes, ...refused.map(({ message }) => message)] };
    } catch (error) {
      if (error instanceof HostError && error.code === 'browser_unavailable') void this.end(name);
      const isOfNetwork = error instanceof HostError && error.code === 'unreachable';
      const networkError = isOfNetwork ? networkErrorFor(args, proxy.failures) : undefined;
      if (!networkError) throw error;
      const code = networkError.refused ? 'address_refused' : 'unreachable';
      throw new HostError('upstream-failed', code, networkError.message);
    }
  }

  /** Checks the page at the end of a call, wherever links, scripts or earlier actions have led. */
  private requireAllowed(done: object, { opened }: Session): void {
    const url = 'url' in done && typeof done.url === 'string' ? URL.parse(done.url) : null;
    const reason = url && this.options.objectionTo(url, [...opened]);
    if (reason !== null) throw forbidden(reason);
  }

  private async open({ opened }: Session): Promise<{ profile: BrowserProfile; proxy: GuardProxy }> {
    const { engine, objectionTo } = this.options;
    const objection = (url: URL) => objectionTo(url, [...opened]);
    const proxy = await GuardProxy.open({ networkPolicy: this.networkPolicy, maxBytes, objection });
    try {
      return { profile: await engine.open({ proxyPort: proxy.port }), proxy };
    } catch (error) {
      await proxy.close();
      throw error;
    }
  }
}

/** Ignores requests of the browser to its vendor, which say nothing about the page. */
function networkErrorFor(
  args: object,
  failures: readonly ProxyFailure[],
): ProxyFailure | undefined {
  const host = 'url' in args ? URL.parse(String(args.url))?.hostname : undefined;
  return failures.find((one) => one.refused || URL.parse(`http://${one.host}`)?.hostname === host);
}

function remember(opened: Set<string>, origin: string): void {
  opened.delete(origin);
  opened.add(origin);
  const [oldest] = opened;
  if (opened.size > maxOpened && oldest !== undefined) opened.delete(oldest);
}

const forbidden = (reason: Message): HostError =>
  new HostError('forbidden', 'address_refused', reason);

/** Closes the network access first, so that the pages stop. */
async function shut(open: NonNullable<Session['open']>): Promise<void> {
  const opened = await open.catch(() => null);
  if (!opened) return;
  await opened.proxy.close();
  await withTimeoutOrNull(closeMs, opened.profile.close()).catch(() => undefined);
}
