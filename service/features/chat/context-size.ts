import type {
  api,
  ChatMessage,
  ContextSize,
  ConversationSettings,
  Input,
} from '../../contract/index.ts';
import { tokensOfText } from '../models/index.ts';
import { compactionThreshold, sizeOf } from './turn/compact.ts';
import { tokensOfTools } from './turn/estimate-tokens.ts';
import { modelMessages } from './turn/model-messages.ts';
import { offeredTools } from './turn/offered-tools.ts';
import { boundWorkflow, type FrameOptions, turnFrame } from './turn-frame.ts';

type Asked = Input<(typeof api.chat)['context']>['query'];

/**
 * Estimated tokens of the next request, with the estimate that decides when older rounds are
 * shortened.
 * @throws HostError 404 `unknown_workflow`
 */
export async function contextSize(
  { conversationId, workflowId, permissionMode }: Asked,
  { messages, ...settings }: ConversationSettings & { messages: readonly ChatMessage[] },
  options: FrameOptions,
): Promise<ContextSize> {
  const mode = permissionMode ?? options.defaultMode();
  const { signal } = new AbortController();
  const about = { mode, session: conversationId ?? '', conversationId, signal };
  const workflow = await boundWorkflow({ workflowId }, options);
  const frame = await turnFrame({ about, messages, texts: [], workflow, settings }, options);
  const seen = modelMessages(messages, frame.excerpts);
  const windowTokens = options.contextWindowTokens(settings.model);
  const systemTokens = tokensOfText([frame.system([]), ...seen.system].join('\n\n'));
  const toolTokens = tokensOfTools(offeredTools(await frame.gate.tools()));
  const messageTokens = Math.ceil(sizeOf(seen.messages));
  return {
    windowTokens,
    systemTokens,
    toolTokens,
    messageTokens,
    usedTokens: systemTokens + toolTokens + messageTokens,
    compactsAtTokens: Math.floor(windowTokens * compactionThreshold),
  };
}
