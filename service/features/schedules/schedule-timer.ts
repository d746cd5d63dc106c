import { Mutex } from 'async-mutex';
import type { ScheduleEvent, ScheduleRun } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import type { RunEnding } from '../agent/index.ts';
import { type HostText, type Message, msg, wireText } from '../../messages/index.ts';
import type { SchedulePorts } from './schedule-ports.ts';
import {
  hasEnded,
  isDurable,
  isoTime,
  type ScheduleRow,
  withEvent,
  withLastEvent,
} from './schedule-row.ts';
import { isNews, missedTimes, notStarted, stillRunning } from './skips.ts';
import type { DueTimes } from './times/due-times.ts';

/** Delay before a failed write is retried. */
const retryMs = 30_000;

/** A schedule and the run that it has started. Operations on it are serialized. */
export class ScheduleTimer {
  row: ScheduleRow;
  private readonly times: DueTimes;
  private readonly ports: SchedulePorts;
  private readonly lock = new Mutex();
  private isBusy = false;
  private isRunning = false;
  private isOver = false;
  private restsUntilMs = -Infinity;

  constructor(row: ScheduleRow, times: DueTimes, ports: SchedulePorts) {
    this.row = row;
    this.times = times;
    this.ports = ports;
  }

  /** The next time at which it needs attention; null while it is being handled. */
  get wakeMs(): number | null {
    const { state, nextMs, expiresMs } = this.row;
    if (this.isBusy || state !== 'active') return null;
    return Math.max(Math.min(nextMs ?? Infinity, expiresMs ?? Infinity), this.restsUntilMs);
  }

  /** Handles the due times. `upSinceMs`: the start of the host. */
  async runDue(nowMs: number, upSinceMs: number): Promise<void> {
    const { nextMs, expiresMs } = this.row;
    if (this.isBusy || Math.min(nextMs ?? Infinity, expiresMs ?? Infinity) > nowMs) return;
    this.isBusy = true;
    try {
      await this.lock.runExclusive(() => this.fireIfDue(nowMs, upSinceMs));
      this.restsUntilMs = -Infinity;
    } catch (error) {
      this.restsUntilMs = nowMs + retryMs;
      this.logError('A schedule could not be stored, so it waits', error);
    } finally {
      this.isBusy = false;
    }
  }

  /** Called when the clock was set back: moves a time that would now be too late. */
  async setBack(nowMs: number, longestMs: number): Promise<void> {
    await this.lock.runExclusive(async () => {
      const { state, nextMs, doneMs, expiresMs } = this.row;
      if (this.isOver || state !== 'active' || nextMs === null) return;
      const expires = expiresMs === null ? null : Math.min(expiresMs, nowMs + longestMs);
      const next = this.times.again(nextMs, doneMs, nowMs);
      if (next !== nextMs || expires !== expiresMs)
        await this.keep({ ...this.row, nextMs: next, expiresMs: expires });
    });
  }

  /**
   * Pauses or resumes; a resumed schedule continues with its next time. Returns false if it was
   * removed before.
   * @throws HostError 409 `schedule_ended`
   */
  async pause(paused: boolean, nowMs: number): Promise<boolean> {
    return this.lock.runExclusive(async () => {
      if (this.isOver) return false;
      if (hasEnded(this.row)) throw ended(this.row);
      const state = paused ? 'paused' : 'active';
      if (state === this.row.state) return true;
      const nextMs = paused ? this.row.nextMs : this.times.first(nowMs);
      await this.claim(settled({ ...this.row, state, nextMs }));
      return true;
    });
  }

  /** Returns false if it was removed before. */
  async remove(): Promise<boolean> {
    return this.lock.runExclusive(async () => {
      if (this.isOver) return false;
      if (isDurable(this.row)) await this.ports.store.remove(this.row.id);
      this.isOver = true;
      return true;
    });
  }

  /** Starts no more runs, and waits for a start in progress. */
  async close(): Promise<void> {
    this.isOver = true;
    await this.lock.runExclusive(() => Promise.resolve());
  }

  private async fireIfDue(nowMs: number, upSinceMs: number): Promise<void> {
    const { state, nextMs, expiresMs } = this.row;
    if (this.isOver || state !== 'active') return;
    if (expiresMs !== null && nowMs >= expiresMs)
      return this.keep({ ...this.row, state: 'expired', nextMs: null });
    if (nextMs === null || nextMs > nowMs) return;
    await this.fire(nextMs, nowMs, nextMs < upSinceMs);
  }

  private async fire(nextMs: number, nowMs: number, wasDown: boolean): Promise<void> {
    const before = this.row;
    const due = this.times.due(nextMs, nowMs);
    const missed = due.missed === 0 ? null : missedTimes(nextMs, due.missed, nowMs, wasDown);
    const catchUp = wasDown || missed !== null ? { catchUp: true } : {};
    const about = { dueAt: isoTime(due.latestMs), at: isoTime(nowMs) };
    const busy = (await this.isBusyRunning()) ? stillRunning(about) : null;
    const moved = { ...before, nextMs: due.nextMs, doneMs: due.latestMs };
    const withMissed = missed === null ? moved : withEvent(moved, missed);
    // Stored before the run starts, so that it cannot start twice.
    const event = busy ?? { ...about, ...catchUp, outcome: 'starting' as const };
    const claimed = withEvent(withMissed, event);
    if (!(await this.claimDue(busy === null ? claimed : settled(claimed), nextMs))) return;
    if (missed !== null) await this.notify(before, missed);
    if (busy !== null) await this.notify(before, busy);
    else await this.startRun({ ...about, ...catchUp });
  }

  private async startRun(about: Omit<ScheduleEvent, 'outcome'>): Promise<void> {
    let started: Awaited<ReturnType<SchedulePorts['workflows']['start']>>;
    try {
      started = await this.ports.workflows.start(this.row.order);
    } catch (error) {
      if (!(error instanceof HostError)) this.logError('A run of a schedule was not begun', error);
      return this.skip(notStarted(about, error));
    }
    const { runId, ended } = started;
    const startedAt = isoTime(this.ports.clock.now());
    const lastRun: ScheduleRun = { runId, status: 'running', startedAt };
    this.isRunning = true;
    this.follow(lastRun, ended);
    const event: ScheduleEvent = { ...about, outcome: 'started', runId };
    await this.keep(settled({ ...withLastEvent(this.row, event), lastRun }));
  }

  private async skip(event: ScheduleEvent): Promise<void> {
    const before = { ...this.row, history: this.row.history.slice(1) };
    const row = settled(withLastEvent(this.row, event));
    // A removed workflow never comes back.
    const isRemoved = event.reason === 'unknown_workflow';
    await this.keep(isRemoved ? { ...row, state: 'disabled', nextMs: null } : row);
    await this.notify(before, event);
  }

  private follow(run: ScheduleRun, ended: Promise<RunEnding>): void {
    const unknown = (): RunEnding => ({ status: 'interrupted' });
    const stored = ended.catch(unknown).then(async ({ status, error }) => {
      this.isRunning = false;
      const finishedAt = isoTime(this.ports.clock.now());
      const lastRun = { ...run, status, finishedAt, ...endText(error) };
      await this.lock.runExclusive(async () => {
        if (!this.isOver) await this.keep({ ...this.row, lastRun });
      });
    });
    stored.catch((error: unknown) => this.logError('How a run ended could not be stored', error));
  }

  /** Loads the changes of another host; returns false if the schedule is gone. */
  async reload(): Promise<boolean> {
    return this.lock.runExclusive(async () => {
      if (this.isOver || !isDurable(this.row)) return true;
      const row = await this.ports.store.find(this.row.id);
      if (row === null) this.isOver = true;
      else this.row = row;
      return row !== null;
    });
  }

  private async isBusyRunning(): Promise<boolean> {
    const { lastRun } = this.row;
    if (this.isRunning || !this.ports.isShared || lastRun?.status !== 'running')
      return this.isRunning;
    return this.ports.workflows.isRunning(lastRun.runId);
  }

  /** Claims the due time; returns false if another host has claimed it. */
  private async claimDue(row: ScheduleRow, dueMs: number): Promise<boolean> {
    if (!this.ports.isShared || !isDurable(row)) {
      await this.claim(row);
      return true;
    }
    const isMine = await this.ports.store.claim(row, dueMs);
    this.row = isMine ? row : ((await this.ports.store.find(row.id)) ?? this.row);
    return isMine;
  }

  /** The change takes effect only once it is stored. */
  private async claim(row: ScheduleRow): Promise<void> {
    if (isDurable(row)) await this.ports.store.save(row);
    this.row = row;
  }

  /** The change takes effect even if it cannot be stored. */
  private async keep(row: ScheduleRow): Promise<void> {
    this.row = row;
    if (isDurable(row)) await this.ports.store.save(row);
  }

  private async notify(before: ScheduleRow, { reason = '', message = '', text }: ScheduleEvent) {
    if (!isDurable(before) || !isNews(before, reason)) return;
    await this.ports
      .notify({
        order: before.order,
        code: reason,
        reason: (text as Message | undefined) ?? message,
      })
      .catch((error: unknown) => this.logError('A notification was not stored', error));
  }

  private logError(what: string, error: unknown): void {
    this.ports.log.error('schedules', what, error);
  }
}

const ended = ({ state }: ScheduleRow): HostError =>
  new HostError('conflict', 'schedule_ended', msg('schedule.ended', { state }));

const endText = (error: HostText | undefined): Pick<ScheduleRun, 'error' | 'errorMessage'> =>
  error === undefined ? {} : wireText('error', error);

const settled = (row: ScheduleRow): ScheduleRow =>
  row.state === 'active' && row.nextMs === null ? { ...row, state: 'finished' } : row;
