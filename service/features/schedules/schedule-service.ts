import { randomUUID } from 'node:crypto';
import { Mutex } from 'async-mutex';
import { maxActiveSchedules, type NewSchedule, type Schedule } from '../../contract/index.ts';
import { HostError, hostClosing } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';
import { ScheduleTimer } from './schedule-timer.ts';
import type { SchedulePorts } from './schedule-ports.ts';
import {
  hasEnded,
  isDurable,
  type ScheduleOrder,
  type ScheduleRow,
  viewOf,
} from './schedule-row.ts';
import { interruptedStart } from './skips.ts';
import { cronTimes, invalidSchedule } from './times/cron-times.ts';
import { cronDueTimes, type DueTimes, intervalDueTimes } from './times/due-times.ts';
import { WakeTimer } from './times/wake-timer.ts';

const expiryMs = 7 * 24 * 3_600_000;
const maxEnded = 50;
/** Time for plugins and MCP servers to start beside the host. */
const settleMs = 5_000;

/** All schedules: stored ones, and those that live as long as the host. */
export class ScheduleService {
  private readonly ports: SchedulePorts;
  private readonly live = new Map<string, ScheduleTimer>();
  private readonly additions = new Mutex();
  private readonly wakeTimer: WakeTimer;
  private upSinceMs = -Infinity;
  private isClosed = false;
  private reportedActive = 0;

  constructor(ports: SchedulePorts) {
    this.ports = ports;
    this.wakeTimer = new WakeTimer({
      clock: ports.clock,
      onWake: (nowMs, wentBack) => this.runDue(nowMs, wentBack),
      wakeMs: () => this.wakeMs(),
    });
  }

  /** Loads the stored schedules without starting any run. */
  async load(): Promise<void> {
    const nowMs = this.ports.clock.now();
    for (const row of await this.ports.store.all()) {
      const read = await this.reread(row, nowMs);
      this.live.set(row.id, new ScheduleTimer(read.row, read.times, this.ports));
    }
  }

  /** Loads changes that other hosts have stored. */
  async reload(): Promise<void> {
    const nowMs = this.ports.clock.now();
    for (const row of await this.ports.store.all()) {
      if (this.live.has(row.id) || this.isClosed) continue;
      const read = await this.reread(row, nowMs);
      if (!this.live.has(row.id))
        this.live.set(row.id, new ScheduleTimer(read.row, read.times, this.ports));
    }
    for (const [id, timer] of this.live) if (!(await timer.reload())) this.live.delete(id);
    this.changed();
  }

  start(): void {
    this.upSinceMs = this.ports.clock.now();
    this.wakeTimer.start(settleMs);
    this.reportActive();
  }

  list(): Schedule[] {
    return [...this.live.values()].map(({ row }) => viewOf(row));
  }

  /** @throws HostError 404 `unknown_schedule` */
  show(id: string): Schedule {
    return viewOf(this.find(id).row);
  }

  /**
   * @throws HostError 400 `invalid_schedule`, 404 `unknown_workflow`, 409 `workflow_not_published`,
   * `too_many_schedules`, 422 `invalid_inputs`
   */
  async add(input: NewSchedule): Promise<Schedule> {
    const timing = timingOf(input);
    const times = await timesOf(timing);
    const { workflowId, inputs, permissionMode } = input;
    const about = { workflowId, inputs, permissionMode, timing };
    const { name } = await this.ports.workflows.check(about);
    const nowMs = this.ports.clock.now();
    const firstMs = input.fireImmediately === true ? nowMs : times.first(nowMs);
    if (firstMs === null) throw invalidSchedule('cron', msg('schedule.cronNeverRuns'));
    const row: ScheduleRow = {
      id: randomUUID(),
      order: { ...about, workflowName: name },
      state: 'active',
      createdMs: nowMs,
      nextMs: firstMs,
      doneMs: null,
      lastRun: null,
      history: [],
      expiresMs: 'cron' in timing ? null : nowMs + expiryMs,
    };
    const live = new ScheduleTimer(row, times, this.ports);
    await this.additions.runExclusive(() => this.take(live));
    if (input.fireImmediately === true) await live.runDue(nowMs, this.upSinceMs);
    this.changed();
    return viewOf(live.row);
  }

  private async take(live: ScheduleTimer): Promise<void> {
    if (this.isClosed) throw hostClosing();
    const lasting = [...this.live.values()].filter(({ row }) => !hasEnded(row)).length;
    if (lasting >= maxActiveSchedules) throw tooMany();
    if (isDurable(live.row)) await this.ports.store.add(live.row);
    this.live.set(live.row.id, live);
    await this.dropEnded();
  }

  private async dropEnded(): Promise<void> {
    const ended = [...this.live.values()].filter(({ row }) => hasEnded(row));
    for (const old of ended.slice(0, Math.max(ended.length - maxEnded, 0))) {
      await old.remove();
      this.live.delete(old.row.id);
    }
  }

  /** @throws HostError 404 `unknown_schedule`, 409 `schedule_ended` */
  async pause(id: string, paused: boolean): Promise<Schedule> {
    const live = this.find(id);
    if (!(await live.pause(paused, this.ports.clock.now()))) throw unknown();
    this.changed();
    return viewOf(live.row);
  }

  /** Removes a schedule; its current run continues. @throws HostError 404 `unknown_schedule` */
  async remove(id: string): Promise<void> {
    if (!(await this.find(id).remove())) throw unknown();
    this.live.delete(id);
    this.reportActive();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.wakeTimer.stop();
    await Promise.all([...this.live.values()].map((one) => one.close()));
  }

  private async runDue(nowMs: number, wentBack: boolean): Promise<void> {
    const all = [...this.live.values()];
    if (wentBack) await Promise.all(all.map((one) => this.setBack(one, nowMs)));
    const checks = all.map(async (one) => {
      await one.runDue(nowMs, this.upSinceMs);
      // A slow schedule does not delay the others.
      this.changed();
    });
    await Promise.all(checks);
  }

  private async setBack(one: ScheduleTimer, nowMs: number): Promise<void> {
    await one
      .setBack(nowMs, expiryMs)
      .catch((error: unknown) =>
        this.ports.log.error('schedules', 'A schedule could not be stored', error),
      );
  }

  private changed(): void {
    this.wakeTimer.changed();
    this.reportActive();
  }

  private reportActive(): void {
    const active = [...this.live.values()].filter(
      ({ row }) => row.state === 'active' && !(this.ports.isShared && isDurable(row)),
    ).length;
    if (active === this.reportedActive) return;
    this.reportedActive = active;
    this.ports.activeChanged?.(active);
  }

  private wakeMs(): number | null {
    const wakes = [...this.live.values()].flatMap(({ wakeMs }) => wakeMs ?? []);
    return wakes.length === 0 ? null : Math.min(...wakes);
  }

  /** Runs ended with the previous host, and its clock may have been wrong. */
  private async reread(
    row: ScheduleRow,
    nowMs: number,
  ): Promise<{ row: ScheduleRow; times: DueTimes }> {
    const { isShared } = this.ports;
    const lastRun =
      row.lastRun?.status === 'running' && !isShared
        ? { ...row.lastRun, status: 'interrupted' as const }
        : row.lastRun;
    // Another host may be starting a run at this moment.
    const history = isShared ? row.history : row.history.map(interruptedStart);
    const read = { ...row, lastRun, history };
    try {
      const times = await timesOf(row.order.timing);
      const { nextMs, doneMs } = row;
      const next = nextMs === null ? null : times.again(nextMs, doneMs, nowMs);
      return { row: { ...read, nextMs: next }, times };
    } catch (error) {
      this.ports.log.error('schedules', `The schedule ${row.id} cannot be read any more`, error);
      return {
        row: { ...read, state: 'disabled', nextMs: null },
        times: intervalDueTimes(60, false),
      };
    }
  }

  private find(id: string): ScheduleTimer {
    const found = this.live.get(id);
    if (found) return found;
    throw unknown();
  }
}

/** The request was validated: exactly one of the two is set. */
function timingOf(input: NewSchedule): ScheduleOrder['timing'] {
  const { intervalSeconds, recurring = true, cron, timeZone } = input;
  if (intervalSeconds !== undefined) return { intervalSeconds, recurring };
  return { cron: cron ?? '', timeZone: timeZone ?? '' };
}

const timesOf = async (timing: ScheduleOrder['timing']): Promise<DueTimes> =>
  'cron' in timing
    ? cronDueTimes(await cronTimes(timing.cron, timing.timeZone))
    : intervalDueTimes(timing.intervalSeconds, timing.recurring);

const unknown = (): HostError =>
  new HostError('missing', 'unknown_schedule', msg('schedule.unknown'));

function tooMany(): HostError {
  return new HostError(
    'conflict',
    'too_many_schedules',
    msg('schedule.tooMany', { limit: maxActiveSchedules }),
  );
}
