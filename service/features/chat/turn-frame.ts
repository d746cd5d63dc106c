import type {
  ActiveFileRef,
  ChatMessage,
  ChatRequest,
  ConversationSettings,
  ModelChoice,
} from '../../contract/index.ts';
import { matchesPattern } from '../../core/matches-pattern.ts';
import { type CallGate, createGate, type GatePorts } from '../call-gate/index.ts';
import type { Contributions } from '../contributions/index.ts';
import type { Tool } from '../tools/index.ts';
import { attachmentTools } from './attachments/attach-files.ts';
import type { AttachmentStore, AttachmentText } from './attachments/attachment-store.ts';
import { type BoundWorkflow, type WorkflowSource, boundWorkflowTools } from './bound-workflow.ts';
import { skillList } from './skills/skill-list.ts';
import { systemPrompt } from './system-prompt.ts';

type Mode = NonNullable<ChatRequest['permissionMode']>;

export interface FrameOptions {
  ports: GatePorts;
  contributions: Contributions;
  /** What a turn may be bound to. */
  workflows: WorkflowSource;
  attachments: AttachmentStore;
  /** The mode of turns that name none. */
  defaultMode: () => Mode;
  contextWindowTokens: (model?: ModelChoice) => number;
  workspace: () => string;
}

export interface FrameInput {
  about: Parameters<typeof createGate>[1];
  /** All that the model is to see. */
  messages: readonly ChatMessage[];
  /** Of files that are not stored yet. */
  texts: readonly AttachmentText[];
  workflow: BoundWorkflow | null;
  /** Of the conversation. */
  settings?: ConversationSettings;
}

export interface TurnFrame {
  gate: CallGate;
  /** What the model is given of attached files, by their ids. */
  excerpts: ReadonlyMap<string, string>;
  /** What it is told before the conversation. */
  system(files: readonly ActiveFileRef[]): string;
}

/** What goes along with the messages of a turn: its tools, and what the model is told first. */
export async function turnFrame(
  { about, messages, texts, workflow, settings = {} }: FrameInput,
  options: FrameOptions,
): Promise<TurnFrame> {
  const { ports, attachments: store, workspace } = options;
  const { conversationId, mode } = about;
  const readable = await attachmentTools(messages, texts, { store, conversationId });
  const found = await options.contributions.skills();
  const skills = skillList(found, options.contextWindowTokens(settings.model));
  return {
    gate: withTools(withoutTools(createGate(ports, about), settings.disabledTools), [
      ...readable.tools,
      ...boundWorkflowTools(workflow),
    ]),
    excerpts: readable.excerpts,
    system: (files) =>
      systemPrompt({
        mode,
        workspace: workspace(),
        platform: process.platform,
        today: new Date(),
        skills,
        files,
        workflow: workflow?.text ?? '',
        instructions: settings.systemPrompt ?? '',
      }),
  };
}

/** The tools that a conversation is not offered are there for others. */
function withoutTools(gate: CallGate, patterns: readonly string[] = []): CallGate {
  if (patterns.length === 0) return gate;
  const isOffered = ({ name }: Tool): boolean =>
    !patterns.some((pattern) => matchesPattern(pattern, name));
  return { ...gate, tools: async () => (await gate.tools()).filter(isOffered) };
}

/** The tools of every turn, and those of this one. */
const withTools = (gate: CallGate, own: readonly (() => Promise<Tool>)[]): CallGate => ({
  ...gate,
  tools: async () => [...(await gate.tools()), ...(await Promise.all(own.map((tool) => tool())))],
});

/** @throws HostError 404 `unknown_workflow` */
export async function boundWorkflow(
  { workflowId }: Pick<ChatRequest, 'workflowId'>,
  { workflows, contextWindowTokens }: Pick<FrameOptions, 'workflows' | 'contextWindowTokens'>,
): Promise<BoundWorkflow | null> {
  return workflowId === undefined ? null : workflows.bind(workflowId, contextWindowTokens());
}
