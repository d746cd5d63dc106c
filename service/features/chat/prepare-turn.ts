import type { ChatRequest, ConversationSettings, TurnFile } from '../../contract/index.ts';
import type { SharedFiles } from '../plugins/index.ts';
import { attachFiles } from './attachments/attach-files.ts';
import type { DocumentReader } from './attachments/document-reader.ts';
import type { TurnContext } from './turn-context.ts';
import { textOf } from './conversations/message-text.ts';
import { type ResourceSource, withResources } from './resources/with-resources.ts';
import type { SessionGrants } from './session-grants.ts';
import { expandCommand, type PromptSource } from './skills/expand-command.ts';
import { boundWorkflow, type FrameOptions, turnFrame } from './turn-frame.ts';
import { typedPaths } from './typed-paths.ts';

/** Sources of the files, prompts and resources of a turn. */
export interface PrepareOptions extends FrameOptions {
  prompts: PromptSource;
  resources: ResourceSource;
  shared: SharedFiles;
  grants: SessionGrants;
  documents: DocumentReader;
}

/** Gathers everything for a turn. If it throws, no grant or other trace of the turn remains. */
export async function prepareTurn(
  request: ChatRequest,
  {
    streamId,
    signal,
    settings,
  }: { streamId: string; signal: AbortSignal; settings: ConversationSettings },
  options: PrepareOptions,
): Promise<TurnContext> {
  const { ports, shared, workspace } = options;
  const { conversationId } = request;
  const mode = request.permissionMode ?? options.defaultMode();
  const files = request.files ?? [];
  shared.requireChosen(files);
  const attaching = { shared, store: options.attachments, documents: options.documents };
  const { messages, texts } = await attachFiles(
    await withResources(request, options.resources, signal),
    files,
    attaching,
  );
  const seen = await expandCommand(messages, options);
  const session = conversationId ?? streamId;
  const about = { mode, session, conversationId, signal };
  const frame = await turnFrame(
    { about, messages, texts, workflow: await boundWorkflow(request, options), settings },
    options,
  );
  const latest = messages.findLast(({ role }) => role === 'user');
  const typed = latest === undefined ? [] : typedPaths(textOf(latest.content));
  const granted = await shared.share(files.filter(isNew), typed);
  options.grants.add(session, granted);
  return {
    gate: frame.gate,
    messages: seen,
    userMessage: messages.at(-1)?.role === 'user' ? messages.at(-1) : undefined,
    texts,
    excerpts: frame.excerpts,
    activeFileRefs: granted.refs,
    system: frame.system(granted.refs),
    async ended({ state, message }) {
      ports.sessions.pause(session);
      if (conversationId === undefined) {
        ports.sessions.drop(session);
        await options.grants.end(session);
      }
      if (state === 'cancelled') return;
      const event = state === 'done' ? 'run_complete' : 'run_error';
      const ids = { runId: streamId, ...(conversationId ? { conversationId } : {}) };
      const failure = message === undefined ? {} : { error: message };
      const call = { event, ...ids, ...failure, cwd: workspace(), permissionMode: mode } as const;
      await ports.hooks.run(call, AbortSignal.timeout(60_000));
    },
  };
}

/** Attachments of earlier messages have been granted already. */
const isNew = ({ attachment }: TurnFile): boolean => attachment === undefined;
