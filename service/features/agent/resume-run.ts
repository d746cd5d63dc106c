import { randomUUID } from 'node:crypto';
import { HostError } from '../../core/host-error.ts';
import { msg } from '../../messages/index.ts';
import type { AgentService } from './agent-service.ts';
import { type Inherited, inheritedFrom, withoutStep } from './run/inherited.ts';
import type { RunPorts } from './run-ports.ts';
import { executionsOf } from './runs/executions-of.ts';
import type { RunRow } from './runs/run-row.ts';

/**
 * Starts new runs from earlier ones: resumed and rewound runs inherit results, forks only the plan.
 */
export class RunResumer {
  private readonly ports: RunPorts;
  private readonly service: AgentService;
  /** The id of the run that is resuming a run, by the id of that run. */
  private readonly resumed = new Map<string, string>();

  constructor(ports: RunPorts, service: AgentService) {
    this.ports = ports;
    this.service = service;
  }

  /**
   * Continues a run after its completed steps; returns the id of the new run.
   * @throws HostError 409 `nothing_to_resume`, `resumed_already`, `run_running`, `posture_changed`
   */
  async resume(runId: string): Promise<string> {
    const other = this.resumed.get(runId);
    if (other !== undefined) throw resumedAlready(other);
    const newRunId = randomUUID();
    const over = (): boolean => this.resumed.delete(runId);
    this.resumed.set(runId, newRunId);
    try {
      const { ended } = await this.again(runId, { made: newRunId, inherits: true }, (row) => {
        if (row.status !== 'completed') return stepsOf(row);
        throw new HostError('conflict', 'nothing_to_resume', msg('run.nothingToResume'));
      });
      void ended.then(over, over);
    } catch (error) {
      over();
      throw error;
    }
    return newRunId;
  }

  /**
   * Runs the same plan from its start without any earlier results, or only the step `from` and what
   * depends on it.
   * @throws HostError 400 `unknown_step` if the plan has no such step
   */
  async fork(runId: string, from?: number): Promise<string> {
    if (from === undefined) return (await this.again(runId, { inherits: false }, stepsOf)).runId;
    const { runId: made } = await this.again(runId, { inherits: true, from }, (row) => {
      const count = stepsOf(row);
      if (from < count) return count;
      throw new HostError(
        'invalid',
        'unknown_step',
        msg('run.unknownStep', { step: from + 1, count }),
      );
    });
    return made;
  }

  /**
   * Keeps the first `keepSteps` steps with their results.
   * @throws HostError 400 `invalid_plan` if kept steps depend on dropped ones
   */
  async rewind(runId: string, keepSteps: number): Promise<string> {
    const { runId: made } = await this.again(runId, { inherits: true }, (row) => {
      const count = stepsOf(row);
      if (keepSteps <= count) return keepSteps;
      throw new HostError('invalid', 'invalid_body', msg('run.tooFewSteps', { count, keepSteps }), {
        errors: [{ path: 'keepSteps', message: msg('run.keepStepsAtMost', { limit: count }) }],
      });
    });
    return made;
  }

  /** `keep` returns how many steps remain in the plan. */
  private async again(
    runId: string,
    { made, inherits, from }: { made?: string; inherits: boolean; from?: number },
    keep: (row: RunRow) => number,
  ): ReturnType<AgentService['start']> {
    if (await this.service.isLive(runId)) {
      throw new HostError('conflict', 'run_running', msg('run.stillRunning'));
    }
    const row = await this.service.row(runId);
    const keepCount = keep(row);
    await this.requirePosture(row);
    const plan = row.plan && { ...row.plan, steps: row.plan.steps.slice(0, keepCount) };
    const all = inherits ? await this.inheritedOf(row, keepCount) : null;
    const isPartial = all !== null && plan !== null && from !== undefined;
    const inherited = isPartial ? withoutStep(plan, from, all) : all;
    return this.service.start({
      goal: row.goal,
      order: row.request,
      plan,
      planApproval: true,
      parentRunId: runId,
      ...(made === undefined ? {} : { runId: made }),
      ...(inherited === null ? {} : { inherited }),
      ...(row.workflowId === null ? {} : { workflowId: row.workflowId }),
    });
  }

  private async inheritedOf({ runId, plan }: RunRow, keepCount: number): Promise<Inherited> {
    return inheritedFrom(executionsOf(plan, await this.ports.store.events(runId)), keepCount);
  }

  private async requirePosture({ posture }: RunRow): Promise<void> {
    if (posture === 'unsandboxed' || (await this.ports.posture()) === 'sandboxed') return;
    throw new HostError('conflict', 'posture_changed', msg('run.sandboxChanged'));
  }
}

const stepsOf = ({ plan }: RunRow): number => plan?.steps.length ?? 0;

function resumedAlready(runId: string): HostError {
  return new HostError('conflict', 'resumed_already', msg('run.resumedAlready', { runId }), {
    runId,
  });
}
