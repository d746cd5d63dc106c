import { Mutex } from 'async-mutex';
import { HostError } from '../../../core/host-error.ts';
import { Topic } from '../../../core/topic.ts';
import type { ComputerEngine, Controls } from '../../../platform/computer/computer-engine.ts';
import { unavailable } from '../../../platform/computer/unavailable.ts';
import { msg } from '../../../messages/index.ts';

/** Unused controls are released after this time; the next call acquires them again. */
const idleMs = 60_000;
const maxStopped = 1_000;

/** The caller of a computer tool. */
export interface ControlUser {
  /** The owner of the controls: a run, otherwise a conversation, or a turn without one. */
  owner: string;
  /** The conversation, turn or run whose permissions apply. */
  session: string;
}

/** The turn or run whose control of the computer was stopped, with the reason. */
export interface StoppedUser extends ControlUser {
  reason: HostError;
}

interface Hold extends ControlUser {
  controls: Promise<Controls>;
  lock: Mutex;
  /** Aborted when the person stops it, or the display disappears. */
  abortController: AbortController;
  calls: number;
  idle?: NodeJS.Timeout;
}

/**
 * Mouse and keyboard exist once: one conversation or run owns them at a time, until its turn is
 * over.
 */
export class ComputerControls {
  /** Emits when a person pressed the stop key: work of that user has to end. */
  readonly stopped = new Topic<StoppedUser>();
  private readonly engine: ComputerEngine;
  private readonly idleMs: number;
  private held: Hold | null = null;
  private releasing: Promise<void> = Promise.resolve();
  private readonly stoppedOwners = new Set<string>();

  constructor(options: { engine: ComputerEngine; idleMs?: number }) {
    this.engine = options.engine;
    this.idleMs = options.idleMs ?? idleMs;
  }

  /**
   * Performs `work` with the controls, one call after the other.
   * @throws HostError `stopped_by_person`, `controls_in_use`, `computer_use_unavailable`; or the
   * error of `work`
   */
  async use<T>(
    user: ControlUser,
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    if (this.stoppedOwners.has(user.owner)) throw stoppedByPerson();
    if (this.held && this.held.owner !== user.owner) throw inUse();
    const hold = (this.held ??= this.take(user));
    clearTimeout(hold.idle);
    hold.calls += 1;
    const both = AbortSignal.any([signal, hold.abortController.signal]);
    try {
      return await hold.lock.runExclusive(async () => {
        await hold.controls;
        both.throwIfAborted();
        return work(both);
      });
    } catch (error) {
      hold.abortController.signal.throwIfAborted();
      throw error;
    } finally {
      hold.calls -= 1;
      if (hold.calls === 0) hold.idle = setTimeout(() => this.release(hold), this.idleMs).unref();
    }
  }

  /** Releases the controls when a turn or run is over. */
  releaseOwner(owner: string): void {
    this.stoppedOwners.delete(owner);
    if (this.held?.owner === owner) this.release(this.held);
  }

  async close(): Promise<void> {
    const { held } = this;
    if (held) {
      held.abortController.abort(unavailable(msg('host.isClosing')));
      this.release(held);
    }
    await this.releasing;
    await this.engine.close();
  }

  private take(user: ControlUser): Hold {
    const abortController = new AbortController();
    const hold: Hold = {
      ...user,
      abortController,
      lock: new Mutex(),
      calls: 0,
      // Waits until the previous owner has released the controls.
      controls: this.releasing.then(() =>
        this.engine.takeControl((why) => (why === 'stopped' ? this.stop(hold) : this.lose(hold))),
      ),
    };
    hold.controls.catch(() => this.release(hold));
    return hold;
  }

  private stop(hold: Hold): void {
    if (this.held !== hold) return;
    this.stoppedOwners.add(hold.owner);
    const [oldest] = this.stoppedOwners;
    if (this.stoppedOwners.size > maxStopped && oldest !== undefined)
      this.stoppedOwners.delete(oldest);
    const reason = stoppedByPerson();
    hold.abortController.abort(reason);
    this.release(hold);
    this.stopped.publish({ owner: hold.owner, session: hold.session, reason });
  }

  private lose(hold: Hold): void {
    hold.abortController.abort(unavailable(msg('computer.displayLost')));
    this.release(hold);
  }

  private release(hold: Hold): void {
    if (this.held !== hold) return;
    this.held = null;
    clearTimeout(hold.idle);
    this.releasing = hold.controls.then((controls) => controls.release()).catch(() => undefined);
  }
}

function stoppedByPerson(): HostError {
  const message = msg('computer.stoppedByPerson');
  return new HostError('conflict', 'stopped_by_person', message);
}

function inUse(): HostError {
  const message = msg('computer.inUse');
  return new HostError('conflict', 'controls_in_use', message);
}
