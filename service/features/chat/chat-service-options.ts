import type { ChatRequest, ConversationSettings, ModelChoice } from '../../contract/index.ts';
import type { SingleUseStreams } from '../../http/single-use-streams.ts';
import type { Log } from '../../platform/log.ts';
import type { ModelBackend, UsedTokens } from '../models/index.ts';
import type { CostOf } from './conversations/priced.ts';
import type { TurnContext } from './turn-context.ts';

/** Dependencies of turns, and callbacks for their ends. */
export interface ChatServiceOptions {
  streams: SingleUseStreams;
  /** The model of a turn. @throws HostError 409 `model_not_ready`, 404 `unknown_provider` */
  backend: ChooseBackend;
  contextWindowTokens: (model?: ModelChoice) => number;
  prepare: (
    request: ChatRequest,
    turn: { streamId: string; signal: AbortSignal; settings: ConversationSettings },
  ) => Promise<TurnContext>;
  /** Called when a conversation is removed, after its turn has ended. */
  conversationEnded: (conversationId: string) => Promise<void>;
  turnEnded: (outcome: 'done' | 'error' | 'cancelled') => void;
  /** Called after each answer of the model. */
  tokensUsed: (usage: UsedTokens, conversationId: string | undefined) => void;
  /** Returns the cost; undefined if the model has no price. */
  costOf: CostOf;
  log: Log;
}

/** Returns the backend of a model; `undefined` selects the configured model. */
export type ChooseBackend = (model: ModelChoice | undefined) => ModelBackend;
