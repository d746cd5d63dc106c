import { ServiceError } from '../../client/index.ts';
import type { Problem } from '../../contract/index.ts';
import type { WriteFailurePlan } from './host-orders.ts';
import type { HostProcess } from './host-process.ts';

/** A request of a client that writes. */
export interface WritingOperation {
  name: string;
  /** Creates the initial state. */
  prepare(): Promise<void>;
  run(): Promise<unknown>;
  /** Rejects unless everything is as before the operation. */
  checkUndone(): Promise<void>;
  /** Rejects unless the operation is complete. */
  checkDone(): Promise<void>;
}

/** A round with a failed write. */
export interface FailedRound {
  operation: string;
  plan: WriteFailurePlan;
  /** Descriptions of the failed writes. */
  failed: string[];
  problem: Problem;
}

/**
 * Runs an operation while its n-th write fails, for n from `first` in steps of `stride`, until
 * nothing fails any more; after each failure the next attempt must succeed. Returns the reported
 * problems.
 */
export async function failEachWrite(
  host: HostProcess,
  operation: WritingOperation,
  options: { code: WriteFailurePlan['code']; first: number; stride: number },
): Promise<FailedRound[]> {
  const failedRounds: FailedRound[] = [];
  const { code, first, stride } = options;
  for (let failAt = first; ; failAt += stride) {
    const plan = { failAt, code };
    try {
      await operation.prepare();
      await host.failWrites(plan);
      const problem = await problemOf(operation.run());
      const { failed } = await host.healWrites();
      if (problem !== null) {
        if (failed.length === 0)
          throw new Error(`Nothing failed, but the answer is ${problem.code}`);
        failedRounds.push({ operation: operation.name, plan, failed, problem });
        await operation.checkUndone();
        await operation.run();
      }
      await operation.checkDone();
      if (failed.length === 0) return failedRounds;
    } catch (error) {
      const last = failedRounds.at(-1)?.plan.failAt === failAt ? failedRounds.at(-1) : undefined;
      const where = `${operation.name}, ${code} at write ${failAt} (${last?.failed.join() ?? ''})`;
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`${where}: ${why}`, { cause: error });
    }
  }
}

async function problemOf(call: Promise<unknown>): Promise<Problem | null> {
  return call.then(
    () => null,
    (error: unknown) => {
      if (error instanceof ServiceError && error.problem.status > 0) return error.problem;
      throw error;
    },
  );
}
