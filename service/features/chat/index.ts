/** Chat: turns with tool calls, approval requests, and stored conversations. */
import type { ChatRequest, ConversationSettings, ModelChoice } from '../../contract/index.ts';
import type { HostError } from '../../core/host-error.ts';
import type { Route } from '../../http/route.ts';
import type { SingleUseStreams } from '../../http/single-use-streams.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { GatePorts } from '../call-gate/index.ts';
import type { Contributions } from '../contributions/index.ts';
import type { SharedFiles } from '../plugins/index.ts';
import { DocumentReader } from './attachments/document-reader.ts';
import { ChatService } from './chat-service.ts';
import type { ChatServiceOptions, ChooseBackend } from './chat-service-options.ts';
import { ConversationService } from './conversations/conversation-service.ts';
import { ConversationStore } from './conversations/conversation-store.ts';
import { conversationRoutes } from './conversations/routes.ts';
import { prepareTurn, type PrepareOptions } from './prepare-turn.ts';
import { chatRoutes } from './routes.ts';
import { PromptLibrary } from './prompts/prompt-library.ts';
import { PromptStore } from './prompts/prompt-store.ts';
import { promptRoutes } from './prompts/routes.ts';
import { SessionGrants } from './session-grants.ts';

export type { PromptLibrary } from './prompts/prompt-library.ts';
export { skillSource } from './skills/skill-source.ts';

/** Dependencies of the chat feature. */
export interface ChatOptions extends Omit<
  PrepareOptions,
  'ports' | 'grants' | 'attachments' | 'documents'
> {
  gate: GatePorts;
  database: Database;
  streams: SingleUseStreams;
  log: Log;
  /**
   * Returns the model of a turn. @throws HostError 409 `model_not_ready`, 404 `unknown_provider`
   */
  backend: ChooseBackend;
  /** @throws HostError 404 `unknown_provider` */
  checkModel: (choice: ModelChoice) => void;
  contributions: Contributions;
  shared: SharedFiles;
  /** Directory for uploads of chats; created on demand. */
  incoming: () => Promise<string>;
  /** @throws HostError 400 `invalid_rules` */
  checkRules: (rules: readonly string[]) => void;
  turnEnded: ChatServiceOptions['turnEnded'];
  tokensUsed: ChatServiceOptions['tokensUsed'];
  costOf: ChatServiceOptions['costOf'];
}

/** The chat feature; `close` ends running turns. */
export interface ChatFeature {
  routes: Route[];
  /** Stops the running turn of a conversation, or the turn with that id. */
  stopSession(session: string, reason: HostError): Promise<void>;
  /** Titles of the stored conversations among these, by id. */
  titles: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** The user's prompts. */
  prompts: PromptLibrary;
  close(): Promise<void>;
}

export function createChat(options: ChatOptions): ChatFeature {
  const grants = new SessionGrants();
  const documents = new DocumentReader();
  const ports = options.gate;
  const store = new ConversationStore(options.database);
  const { attachments } = store;
  const library = new PromptLibrary(new PromptStore(options.database));
  const prompts = {
    text: async (name: string, args: readonly string[]) =>
      (await library.text(name, args)) ?? options.prompts.text(name, args),
  };
  const prepare = (
    request: ChatRequest,
    turn: { streamId: string; signal: AbortSignal; settings: ConversationSettings },
  ) => prepareTurn(request, turn, { ...options, prompts, ports, grants, attachments, documents });
  const { streams, backend, contextWindowTokens, log } = options;
  const { turnEnded, tokensUsed, costOf } = options;
  const chatService = new ChatService({
    streams,
    backend,
    contextWindowTokens,
    prepare,
    log,
    turnEnded,
    tokensUsed,
    costOf,
    async conversationEnded(id) {
      ports.sessions.drop(id);
      await grants.end(id);
    },
  });
  const conversationService = new ConversationService(store, chatService, costOf);
  chatService.conversations = conversationService;
  const frame = { ...options, ports, attachments };
  return {
    routes: [
      ...chatRoutes({ ...options, chatService, conversationService, frame }),
      ...promptRoutes(library),
      ...conversationRoutes(conversationService, options.checkModel),
    ],
    prompts: library,
    titles: (ids) => store.titles(ids),
    stopSession: (session, reason) => chatService.stopSession(session, reason),
    async close() {
      documents.end();
      await chatService.close();
    },
  };
}
