import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { HostPaths } from '../../app/index.ts';
import type { Client } from '../../client/index.ts';
import { Attempts } from './attempt.ts';
import { NotificationWriters } from './notification-writers.ts';
import { PluginWriters } from './plugin-writers.ts';
import { randomOf, type Random } from './random.ts';
import { SettingWriters } from './setting-writers.ts';

const momentMs = { from: 1, to: 3_000 };
const answers = { from: 1, to: 300 };

/**
 * Sends requests of every kind that stores something, nine in parallel, and checks what their
 * answers promise.
 */
export class Workload {
  readonly random: Random;
  readonly totals = { acknowledged: 0, lost: 0, slowestMs: 0 };
  private readonly paths: HostPaths;
  private readonly notifications: NotificationWriters;
  private readonly settings = new SettingWriters();
  private readonly plugins: PluginWriters;

  private constructor(paths: HostPaths, random: Random, plugins: PluginWriters) {
    this.paths = paths;
    this.random = random;
    this.notifications = new NotificationWriters(random);
    this.plugins = plugins;
  }

  static async make(paths: HostPaths, seed: number): Promise<Workload> {
    const random = randomOf(seed);
    const plugins = await PluginWriters.make(random, join(paths.workDirectory, '..', 'packing'));
    return new Workload(paths, random, plugins);
  }

  /** Runs until `attempts.stopped`. */
  start(client: Client): { attempts: Attempts; done: Promise<void> } {
    const attempts = new Attempts();
    const writers = [this.notifications, this.settings, this.plugins];
    const work = writers.map((one) =>
      one.work(client, attempts).catch((error: unknown) => {
        attempts.stopped = true;
        throw error;
      }),
    );
    const done = Promise.allSettled(work).then((results) => {
      this.totals.acknowledged += attempts.acknowledged;
      this.totals.lost += attempts.lost;
      this.totals.slowestMs = Math.max(this.totals.slowestMs, attempts.slowestMs);
      const failed = results.find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
    });
    // Awaited only after the fault.
    done.catch(() => undefined);
    return { attempts, done };
  }

  /**
   * Waits for the moment of a fault: alternately after a random number of answers, which does not
   * depend on the speed of the machine, and after a random time.
   */
  async aMoment(attempts: Attempts, turn: number): Promise<void> {
    const { random } = this;
    if (turn % 2 === 1) {
      await delay(random.logUniform(momentMs.from, momentMs.to));
      return;
    }
    await attempts.reached(Math.ceil(random.logUniform(answers.from, answers.to)));
    await delay(random.logUniform(1, 30));
  }

  summary(): string {
    const { acknowledged, lost, slowestMs } = this.totals;
    return `${acknowledged} acknowledged, ${lost} in doubt, slowest answer ${Math.round(slowestMs)} ms`;
  }

  /**
   * Checks that everything acknowledged is stored and nothing is stored partially. Rejects with the
   * problem.
   */
  async check(client: Client, { startPlugins }: { startPlugins: boolean }): Promise<void> {
    await this.plugins.check(client, this.paths);
    await this.settings.check(client);
    await this.notifications.check(client);
    if (startPlugins) await this.plugins.checkStartable(client);
  }
}
