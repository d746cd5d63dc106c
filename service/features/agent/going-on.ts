import { randomUUID } from 'node:crypto';
import { HostError } from '../../core/host-error.ts';
import type { AgentDesk } from './agent-desk.ts';
import type { NewRun } from './new-run.ts';
import { inheritedFrom } from './run/inherited.ts';
import type { RunPorts } from './run-ports.ts';
import { executionsOf } from './runs/executions-of.ts';
import type { RunRow } from './runs/run-row.ts';

/** New runs that go on from old ones, with what these have done. */
export class GoingOn {
  private readonly ports: RunPorts;
  private readonly desk: AgentDesk;
  /** By the run that was resumed: the one that goes on with it now. */
  private readonly resumed = new Map<string, string>();

  constructor(ports: RunPorts, desk: AgentDesk) {
    this.ports = ports;
    this.desk = desk;
  }

  /** @throws HostError 409 `nothing_to_resume`, `resumed_already`, `run_running`, `posture_changed` */
  async resume(runId: string): Promise<string> {
    const other = this.resumed.get(runId);
    if (other !== undefined) throw resumedAlready(other);
    const made = randomUUID();
    const over = (): boolean => this.resumed.delete(runId);
    this.resumed.set(runId, made);
    try {
      const { ended } = await this.again(runId, { runId: made }, (row) => {
        if (row.status !== 'completed') return stepsOf(row);
        const message = 'This run was completed: nothing is left to do. Fork it to go another way.';
        throw new HostError('conflict', 'nothing_to_resume', message);
      });
      void ended.then(over, over);
    } catch (error) {
      over();
      throw error;
    }
    return made;
  }

  async fork(runId: string): Promise<string> {
    return (await this.again(runId, {}, stepsOf)).runId;
  }

  /** @throws HostError 400 `invalid_plan` where the steps that are kept need others */
  async rewind(runId: string, keepSteps: number): Promise<string> {
    const { runId: made } = await this.again(runId, {}, (row) => {
      const count = stepsOf(row);
      if (keepSteps <= count) return keepSteps;
      const message = `This run has ${count} steps, so ${keepSteps} cannot be kept.`;
      throw new HostError('invalid', 'invalid_body', message, {
        errors: [{ path: 'keepSteps', message: `must be at most ${count}` }],
      });
    });
    return made;
  }

  /** `keep` chooses how many of the steps stay in the plan. */
  private async again(
    runId: string,
    made: Pick<NewRun, 'runId'>,
    keep: (row: RunRow) => number,
  ): ReturnType<AgentDesk['start']> {
    if (await this.desk.isLive(runId)) {
      const message = 'This run is still under way. Cancel it first, or wait for its end.';
      throw new HostError('conflict', 'run_running', message);
    }
    const row = await this.desk.row(runId);
    const kept = keep(row);
    await this.requirePosture(row);
    const plan = row.plan && { ...row.plan, steps: row.plan.steps.slice(0, kept) };
    const executions = executionsOf(row.plan, await this.ports.store.events(runId));
    return this.desk.start({
      ...{ ...made, goal: row.goal, order: row.request, plan, planApproval: true },
      ...{ parentRunId: runId, inherited: inheritedFrom(executions, kept) },
      ...(row.workflowId === null ? {} : { workflowId: row.workflowId }),
    });
  }

  private async requirePosture({ posture }: RunRow): Promise<void> {
    if (posture === 'unsandboxed' || (await this.ports.posture()) === 'sandboxed') return;
    const message =
      'This run was made while plugins were held in the sandbox, and now they are not. Switch the sandbox on again, or begin a new run.';
    throw new HostError('conflict', 'posture_changed', message);
  }
}

const stepsOf = ({ plan }: RunRow): number => plan?.steps.length ?? 0;

function resumedAlready(runId: string): HostError {
  const message = `This run was resumed already, and that run (${runId}) has not ended. Go on there, or fork this one.`;
  return new HostError('conflict', 'resumed_already', message, { runId });
}
