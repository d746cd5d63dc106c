import type { AgentPlan } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { msg, wireText } from '../../messages/index.ts';
import { type CallGate, createGate } from '../call-gate/index.ts';
import type { ToolCaller } from '../tools/index.ts';
import type { AnswerFacts } from './answer/answer-prompt.ts';
import { planCheck } from './plan-check.ts';
import type { DraftContext } from './run/draft-context.ts';
import type { RunFile, RunFiles } from './run/step-values.ts';
import type { RunPorts } from './run-ports.ts';
import type { RunOrder } from './runs/run-row.ts';

/** The parts of a run that depend on its request: files, permissions and planner. */
export interface Prepared {
  files: RunFiles;
  gateOf(runId: string, signal: AbortSignal, caller?: ToolCaller): CallGate;
  draft(goal: string, about: DraftContext): Promise<AgentPlan>;
  answer(facts: AnswerFacts, about: DraftContext): Promise<string>;
  /** Revokes the file grants and session permissions of the run. */
  end(): Promise<void>;
}

const defaultMaxSteps = 32;
const maxMemories = 10;

/** Grants the files of a run. If it throws, all grants are revoked. */
export async function prepareRun(ports: RunPorts, order: RunOrder): Promise<Prepared> {
  const { config, capabilityMode } = order;
  const mode = config.permissionMode ?? ports.defaultMode();
  const { files, revoke } = await chosenFiles(ports, order);
  const sessions: string[] = [];
  const runs = new Set<string>();
  return {
    files,
    gateOf(runId, signal, caller) {
      runs.add(runId);
      if (caller) return createGate(ports.gate, { ...caller, runId, signal });
      sessions.push(runId);
      return createGate(ports.gate, { mode, session: runId, runId, signal });
    },
    async draft(goal, { signal, emit, record }) {
      // Loaded on demand, with the first goal that has no plan.
      const { draftPlan } = await import('./planning/draft-plan.ts');
      return draftPlan({
        goal,
        signal,
        files,
        systemPrompt: config.systemPrompt,
        today: new Date(),
        backend: ports.backend(config.model),
        tools: await ports.gate.tools.list(),
        maxSteps: config.maxSteps ?? defaultMaxSteps,
        readOnly: capabilityMode === 'read-only',
        memories: config.memory === true ? await memoriesFor(ports, goal, signal) : [],
        onText: (text) => emit('plan_token', { text }),
        onAsked(used, durationMs) {
          ports.tokensUsed(used);
          record('model_asked', { ...used, durationMs: Math.round(durationMs) });
        },
        onRefused: (why) => emit('warning', wireText('message', why)),
        check: planCheck(ports, order),
      });
    },
    async answer(facts, { signal, emit, record }) {
      // Loaded when the first run needs it.
      const { writeAnswer } = await import('./answer/write-answer.ts');
      return writeAnswer({
        ...facts,
        signal,
        backend: ports.backend(config.model),
        onText: (text) => emit('answer_token', { text }),
        onAsked(used, durationMs) {
          ports.tokensUsed(used);
          const rounded = { durationMs: Math.round(durationMs) };
          record('model_asked', { ...used, ...rounded, purpose: 'answer' });
        },
      });
    },
    async end() {
      for (const run of runs) ports.gate.sessions.pause(run);
      for (const session of sessions) ports.gate.sessions.drop(session);
      await revoke();
    },
  };
}

async function chosenFiles({ share }: RunPorts, { files = [], fileLists = [] }: RunOrder) {
  const found = new Map<string, RunFile>();
  const granted: { revoke(): Promise<void> }[] = [];
  const revoke = async (): Promise<void> => {
    for (const shared of granted) await shared.revoke();
  };
  try {
    for (const [index, file] of files.entries()) {
      const shared = await share([file]);
      granted.push(shared);
      const name = file.name ?? shared.refs[0]?.name ?? `file-${index}`;
      const isList = fileLists.includes(name);
      const existing = found.get(name);
      if (existing && !isList) throw twice(name);
      found.set(name, { refs: [...(existing?.refs ?? []), ...shared.refs], isList });
    }
  } catch (error) {
    await revoke();
    throw error;
  }
  return { files: found, revoke };
}

function twice(name: string): HostError {
  return new HostError(
    'invalid',
    'invalid_body',
    msg('run.filesOfOneName', { name: name.slice(0, 200) }),
  );
}

/** Memories that match the goal; empty if memory is off. */
async function memoriesFor(
  { gate }: RunPorts,
  goal: string,
  signal: AbortSignal,
): Promise<string[]> {
  const tool = (await gate.tools.list()).find(({ name }) => name === 'memory_search');
  if (!tool) return [];
  const query = { query: goal.slice(0, 2_000), limit: maxMemories };
  const run = { callId: 'memory', signal, sandboxed: true };
  const { success, output } = await gate.tools.runTool(tool, query, run);
  if (!success) return [];
  const { memories } = JSON.parse(output) as { memories: { text: string }[] };
  return memories.map(({ text }) => text);
}
