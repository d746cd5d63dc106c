import { withTimeout } from '../../../core/with-timeout.ts';
import type { Bridge } from './bridge-process.ts';
import {
  type BridgeAnswer,
  type BridgeRequest,
  type QueryResult,
  resultOf,
  wireValueOf,
} from './bridge-protocol.ts';
import { H2Error, queryTimeoutCode } from './h2-errors.ts';

/** Time for an abandoned session to end before its bridge is killed, in ms. */
const tearDownLimitMs = 5_000;

let lastNumber = 0;

type SessionRequest = BridgeRequest extends infer One
  ? One extends BridgeRequest
    ? Omit<One, 'session'>
    : never
  : never;

/** A statement with its values, numbered from `$1`. */
export interface H2Query {
  sql: string;
  values?: readonly unknown[];
  /** For a SELECT that changes rows: all of them or none. */
  atomic?: boolean;
}

/** One connection to the database. A request that exceeds its limit ends it. */
export class H2Session {
  private readonly bridge: Bridge;
  private readonly number = (lastNumber += 1);
  private over = false;

  constructor(bridge: Bridge) {
    this.bridge = bridge;
  }

  get usable(): boolean {
    return !this.over && !this.bridge.hasEnded;
  }

  async open(login: { url: string; user: string; password: string }, limitMs: number) {
    await this.run({ op: 'open', ...login }, limitMs);
  }

  async query(query: H2Query, limitMs: number): Promise<QueryResult> {
    const { sql, values = [], atomic = false } = query;
    const request = { op: 'query' as const, sql, values: values.map(wireValueOf), atomic };
    return resultOf(await this.run(request, limitMs));
  }

  async change(op: 'begin' | 'commit' | 'rollback', limitMs: number): Promise<void> {
    await this.run({ op }, limitMs);
  }

  /** Rolls back an open transaction. Never rejects. */
  async close(): Promise<void> {
    if (!this.usable) return;
    this.over = true;
    await this.tearDown();
  }

  private async run(request: SessionRequest, limitMs: number): Promise<BridgeAnswer> {
    return withTimeout(limitMs, this.ask(request), () => {
      this.over = true;
      void this.ask({ op: 'cancel' }).catch(() => undefined);
      void this.tearDown();
      return tooSlow(limitMs);
    });
  }

  private ask(request: SessionRequest): Promise<BridgeAnswer> {
    return this.bridge.request({ ...request, session: this.number });
  }

  private async tearDown(): Promise<void> {
    const killed = setTimeout(() => void this.bridge.kill(), tearDownLimitMs);
    await this.ask({ op: 'close' }).catch(() => undefined);
    clearTimeout(killed);
  }
}

function tooSlow(limitMs: number): H2Error {
  const message = `The database did not answer within ${limitMs / 1000} seconds.`;
  return new H2Error(message, queryTimeoutCode);
}
