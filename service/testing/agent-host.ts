import { type AgentConfig, type AgentPlan, api, type RunDetails } from '../contract/index.ts';
import { type ChatEvent, type ChatHost, startChatHost } from './chat-host.ts';
import type { TestHostOptions } from './test-host.ts';

type Plan = (typeof AgentPlan)['_input'];

/** A run whose event stream is being read. */
export interface FollowedRun {
  runId: string;
  /** Events so far; an `error` event is the last one. */
  events: ChatEvent[];
  ended: Promise<void>;
  leave(): void;
}

/** A host whose runs are followed. */
export interface AgentHost extends ChatHost {
  /** Starts a run and reads its stream. */
  start(about: {
    goal?: string;
    plan?: Plan;
    config?: AgentConfig;
    files?: object[];
  }): Promise<FollowedRun>;
  follow(runId: string): FollowedRun;
  show(runId: string): Promise<RunDetails>;
  /** Waits until the run reaches a gate, and returns the gate. */
  gate(runId: string): Promise<RunDetails['gates'][number]>;
  approve(runId: string, body?: object, query?: object): Promise<unknown>;
  /** Starts a run without a gate at its plan, waits for its end, and returns its outcome. */
  finish(plan: Plan, config?: AgentConfig): Promise<{ events: ChatEvent[]; run: RunDetails }>;
}

/** Starts a host whose runs are followed. */
export async function startAgentHost(options: TestHostOptions = {}): Promise<AgentHost> {
  const host = await startChatHost(options);
  return Object.assign(host, followRuns(host));
}

export function followRuns(host: Pick<ChatHost, 'client'>): Omit<AgentHost, keyof ChatHost> {
  const { client } = host;
  const follow = (runId: string): FollowedRun => {
    const leaving = new AbortController();
    const events: ChatEvent[] = [];
    const read = async (): Promise<void> => {
      const query = { runId };
      const stream = client.stream(api.runStreams.agent, { query, signal: leaving.signal });
      try {
        for await (const event of stream) events.push(event);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (!leaving.signal.aborted) events.push({ event: 'error', data: { message } });
      }
    };
    return { runId, events, ended: read(), leave: () => leaving.abort() };
  };
  const show = (runId: string) => client.call(api.agent.show, { params: { runId } });
  const start: AgentHost['start'] = async ({ goal = 'A goal', plan, config = {}, files }) => {
    const body = { goal, config, ...(plan ? { workflow: plan } : {}), ...(files ? { files } : {}) };
    const { runId } = await client.call(api.agent.run, { body });
    return follow(runId);
  };
  return {
    follow,
    show,
    start,
    async gate(runId) {
      for (;;) {
        const { gates, status } = await show(runId);
        if (gates[0]) return gates[0];
        if (['completed', 'failed', 'cancelled'].includes(status))
          throw new Error(`The run ended as ${status} and waits for nobody.`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
    approve: (runId, body, query = {}) =>
      client.call(api.agent.approve, { params: { runId }, query, body: body as never }),
    async finish(plan, config = {}) {
      const run = await start({ plan, config: { planApproval: false, ...config } });
      await run.ended;
      return { events: run.events, run: await show(run.runId) };
    },
  };
}

/** Returns a step that runs a shell command. */
export const command = (line: string, dependsOn: number[] = [], more: object = {}) => ({
  tool: 'execute_command',
  title: line.slice(0, 40),
  arguments: { command: line },
  dependsOn,
  ...more,
});

export const fullAccess: AgentConfig = { permissionMode: 'full-access' };
