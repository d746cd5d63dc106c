import type { ChatRequest, TurnFile } from '../../contract/index.ts';
import { type CallGate, createGate, type GatePorts } from '../call-gate/index.ts';
import type { Contributions } from '../contributions/index.ts';
import type { SharedFiles } from '../plugins/index.ts';
import type { Tool } from '../tools/index.ts';
import { type AttachOptions, attachmentTools, attachFiles } from './attachments/attach-files.ts';
import { type BoundFlow, type FlowSource, flowTools } from './bound-flow.ts';
import type { TurnContext } from './chat-desk.ts';
import { textOf } from './conversations/message-text.ts';
import { type ResourceSource, withResources } from './resources/with-resources.ts';
import type { SessionGrants } from './session-grants.ts';
import { expandCommand, type PromptSource } from './skills/expand-command.ts';
import { skillList } from './skills/skill-list.ts';
import { systemPrompt } from './system-prompt.ts';
import { typedPaths } from './typed-paths.ts';

type Mode = NonNullable<ChatRequest['permissionMode']>;

export interface PrepareOptions {
  ports: GatePorts;
  contributions: Contributions;
  prompts: PromptSource;
  resources: ResourceSource;
  /** What a turn may be bound to. */
  flows: FlowSource;
  shared: SharedFiles;
  grants: SessionGrants;
  attachments: AttachOptions['store'];
  /** The mode of turns that name none. */
  defaultMode: () => Mode;
  contextWindowTokens: () => number;
  workspace: () => string;
}

/** Gathers what a turn needs. When this throws, nothing of the turn is left. */
export async function prepareTurn(
  request: ChatRequest,
  { streamId, signal }: { streamId: string; signal: AbortSignal },
  options: PrepareOptions,
): Promise<TurnContext> {
  const flow = await flowOf(request, options);
  const { ports, contributions, shared, workspace } = options;
  const { conversationId } = request;
  const mode = request.permissionMode ?? options.defaultMode();
  const files = request.files ?? [];
  shared.requireChosen(files);
  const attaching = { shared, store: options.attachments, conversationId };
  const { messages, texts } = await attachFiles(
    await withResources(request, options.resources, signal),
    files,
    attaching,
  );
  const seen = await expandCommand(messages, options);
  const latest = messages.findLast(({ role }) => role === 'user');
  const typed = latest === undefined ? [] : typedPaths(textOf(latest.content));
  const granted = await shared.share(files.filter(isNew), typed);
  const session = conversationId ?? streamId;
  options.grants.add(session, granted);
  const about = { mode, session, conversationId, signal };
  const readable = await attachmentTools(messages, texts, attaching);
  const gate = withTools(createGate(ports, about), [...readable.tools, ...flowTools(flow)]);
  return {
    gate,
    messages: seen,
    said: messages.at(-1)?.role === 'user' ? messages.at(-1) : undefined,
    texts,
    excerpts: readable.excerpts,
    activeFileRefs: granted.refs,
    system: systemPrompt({
      ...{ mode, workspace: workspace(), platform: process.platform, today: new Date() },
      skills: skillList(await contributions.skills(), options.contextWindowTokens()),
      files: granted.refs,
      flow: flow?.text ?? '',
    }),
    async ended({ state, message }) {
      ports.sessions.pause(session);
      if (conversationId === undefined) {
        ports.sessions.drop(session);
        await options.grants.end(session);
      }
      if (state === 'cancelled') return;
      const event = state === 'done' ? 'run_complete' : 'run_error';
      const ids = { runId: streamId, ...(conversationId ? { conversationId } : {}) };
      const told = message === undefined ? {} : { error: message };
      const call = { event, ...ids, ...told, cwd: workspace(), permissionMode: mode } as const;
      await ports.hooks.run(call, AbortSignal.timeout(60_000));
    },
  };
}

/** What an earlier message has already is granted already. */
const isNew = ({ attachment }: TurnFile): boolean => attachment === undefined;

/** The tools of every turn, and those of this one. */
const withTools = (gate: CallGate, own: readonly (() => Promise<Tool>)[]): CallGate => ({
  ...gate,
  tools: async () => [...(await gate.tools()), ...(await Promise.all(own.map((tool) => tool())))],
});

async function flowOf(
  { workflowId }: ChatRequest,
  { flows, contextWindowTokens }: PrepareOptions,
): Promise<BoundFlow | null> {
  return workflowId === undefined ? null : flows.bind(workflowId, contextWindowTokens());
}
