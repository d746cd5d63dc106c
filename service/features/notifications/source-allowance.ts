import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';

const atOnce = 10;
const perMinute = 10;
const refillMs = 60_000 / perMinute;

interface Bucket {
  tokens: number;
  /** Time at which `tokens` was correct. */
  atMs: number;
}

/**
 * Rate limit per source, as a token bucket: 10 at once, 10 more a minute. All notifications share
 * one history, so a source without a limit would displace the others.
 */
export class SourceAllowance {
  private readonly buckets = new Map<string, Bucket>();
  private readonly nowMs: () => number;

  /** `nowMs` is a monotonic clock. */
  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
  }

  /** @throws HostError `too_many_notifications` if the source exceeds its rate limit */
  take(source: string): void {
    const atMs = this.nowMs();
    this.forgetFull(atMs);
    const before = this.buckets.get(source);
    const tokens = before ? filled(before, atMs) : atOnce;
    if (tokens < 1) {
      throw new HostError(
        'unavailable',
        'too_many_notifications',
        msg('notification.tooManyFromPlugin'),
      );
    }
    this.buckets.set(source, { tokens: tokens - 1, atMs });
  }

  /** A full bucket is equal to none, so only sources of the last minute are stored. */
  private forgetFull(atMs: number): void {
    for (const [source, bucket] of this.buckets)
      if (filled(bucket, atMs) >= atOnce) this.buckets.delete(source);
  }
}

const filled = ({ tokens, atMs }: Bucket, nowMs: number): number =>
  Math.min(atOnce, tokens + (nowMs - atMs) / refillMs);
