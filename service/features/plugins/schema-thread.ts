import { Mutex } from 'async-mutex';
import { HostError } from '../../core/host-error.ts';
import { JobThread } from '../../platform/job-thread.ts';
import type * as Jobs from './schema-worker.ts';
import { msg } from '../../messages/index.ts';

const maxPendingPerOwner = 100;
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 };

type Jobs = typeof Jobs;

interface Owner {
  /** Serializes the jobs of one owner. */
  lock: Mutex;
  jobs: number;
}

/**
 * A thread for schemas that may be slow on purpose. Owners take turns, so that slow jobs of one do
 * not starve the others.
 */
export class SchemaThread {
  private readonly owners = new WeakMap<object, Owner>();
  private readonly thread = new JobThread<Jobs>({
    name: 'schema-worker',
    parentUrl: import.meta.url,
    resourceLimits,
  });

  /**
   * The time limit starts when the job starts.
   * @throws JobFailure; HostError 503 `checks_busy` if too many jobs of the owner wait
   */
  async run<Name extends 'check' | 'bad'>(
    owner: object,
    name: Name,
    input: Parameters<Jobs[Name]>[0],
    limitMs: number,
  ): Promise<ReturnType<Jobs[Name]>> {
    const own = this.owners.get(owner) ?? { lock: new Mutex(), jobs: 0 };
    this.owners.set(owner, own);
    if (own.jobs > maxPendingPerOwner) {
      const detail = msg('plugins.checksBusy');
      throw new HostError('unavailable', 'checks_busy', detail);
    }
    own.jobs += 1;
    try {
      return await own.lock.runExclusive(() => this.thread.run(name, input, { limitMs }));
    } finally {
      own.jobs -= 1;
    }
  }
}
