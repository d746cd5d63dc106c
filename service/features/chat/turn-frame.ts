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

/** The sources of a turn's tools and system prompt. */
export interface FrameOptions {
  ports: GatePorts;
  contributions: Contributions;
  /** Workflows that a turn can be bound to. */
  workflows: WorkflowSource;
  attachments: AttachmentStore;
  /** Permission mode of turns that name none. */
  defaultMode: () => Mode;
  contextWindowTokens: (model?: ModelChoice) => number;
  workspace: () => string;
}

/** The request-specific input of a frame. */
export interface FrameInput {
  about: Parameters<typeof createGate>[1];
  /** All messages for the model. */
  messages: readonly ChatMessage[];
  /** Texts of files that are not stored yet. */
  texts: readonly AttachmentText[];
  workflow: BoundWorkflow | null;
  /** Settings of the conversation. */
  settings?: ConversationSettings;
}

/** The tools and instructions of a turn. */
export interface TurnFrame {
  gate: CallGate;
  /** Excerpts of attached files by attachment id. */
  excerpts: ReadonlyMap<string, string>;
  /** System prompt, with the files that were granted to plugins. */
  system(files: readonly ActiveFileRef[]): string;
}

/** Builds the tools and instructions of a turn. */
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

/** Removes the tools that are disabled in the conversation. */
function withoutTools(gate: CallGate, patterns: readonly string[] = []): CallGate {
  if (patterns.length === 0) return gate;
  const isOffered = ({ name }: Tool): boolean =>
    !patterns.some((pattern) => matchesPattern(pattern, name));
  return { ...gate, tools: async () => (await gate.tools()).filter(isOffered) };
}

/** Adds the tools of this turn to those of the host. */
const withTools = (gate: CallGate, own: readonly (() => Promise<Tool>)[]): CallGate => ({
  ...gate,
  tools: async () => [...(await gate.tools()), ...(await Promise.all(own.map((tool) => tool())))],
});

/** Null if the request names no workflow. @throws HostError 404 `unknown_workflow` */
export async function boundWorkflow(
  { workflowId }: Pick<ChatRequest, 'workflowId'>,
  { workflows, contextWindowTokens }: Pick<FrameOptions, 'workflows' | 'contextWindowTokens'>,
): Promise<BoundWorkflow | null> {
  return workflowId === undefined ? null : workflows.bind(workflowId, contextWindowTokens());
}
