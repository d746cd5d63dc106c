import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  ThinkingConfigParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import { createHash } from 'node:crypto';
import type {
  ImagePart,
  ModelMessage,
  ModelPart,
  ModelRequest,
  ModelToolResult,
  NativeAnswer,
} from '../model-backend.ts';
import { argumentsObject, preparedMessages } from '../wire/prepared-messages.ts';
import type { ServerCapabilities } from '../wire/server-capabilities.ts';
import { wireName, wireSchema } from '../wire/tool-names.ts';

/** Longest answer to request, including thinking; a server with a lower limit reports it. */
const defaultMaxTokens = 32_000;
const thinkingBudgetTokens = 8_000;
/** Minimum of the server. */
const minBudgetTokens = 1_024;

/** Blocks of an answer that are sent back unchanged, since their signatures cover them. */
export interface AnthropicNative {
  blocks: ContentBlockParam[];
}

type Assistant = Extract<ModelMessage, { role: 'assistant' }>;

/** The backend and model whose answers can be sent back. */
type Own = Pick<NativeAnswer, 'mode' | 'model'>;

/** Converts a request for the Messages API. */
export function anthropicRequest(
  request: ModelRequest,
  own: Own & { capabilities: ServerCapabilities },
): MessageCreateParamsStreaming {
  const { model, capabilities } = own;
  const messages = preparedMessages(request.messages, { images: !capabilities.noImages });
  const most = capabilities.maxTokens ?? defaultMaxTokens;
  const maxTokens = Math.min(request.maxTokens ?? most, most);
  const { system = '', tools, textOnly = false } = request;
  const isBare =
    tools.length === 0 || capabilities.noTools || (textOnly && capabilities.noToolChoice);
  return {
    model,
    stream: true,
    max_tokens: maxTokens,
    messages: cachedToEnd(messages.map((message) => wireMessage(message, own))),
    ...(system === ''
      ? {}
      : { system: [{ type: 'text', text: system, cache_control: ephemeral }] }),
    ...(isBare
      ? {}
      : {
          // Some servers return nothing if earlier calls refer to tools that are missing.
          ...(textOnly ? { tool_choice: { type: 'none' as const } } : {}),
          tools: tools.map(({ name, description, inputSchema }) => ({
            name: wireName(name),
            description,
            input_schema: { ...wireSchema(inputSchema, capabilities), type: 'object' as const },
          })),
        }),
    ...temperatureOrThinking(request, own, maxTokens, messages),
  };
}

/** The server accepts only one of the two; a temperature was set by the user. */
function temperatureOrThinking(
  request: ModelRequest,
  own: Own & { capabilities: ServerCapabilities },
  maxTokens: number,
  messages: ModelMessage[],
): { temperature?: number; thinking?: ThinkingConfigParam } {
  const temperature = own.capabilities.noTemperature ? undefined : request.temperature;
  if (temperature !== undefined) return { temperature: Math.min(temperature, 1) };
  const thinking = thinkingOf(maxTokens, messages, own);
  return thinking === null ? {} : { thinking };
}

/** Marks a prefix that the server caches, which costs less when it is sent again. */
const ephemeral = { type: 'ephemeral' as const };

function thinkingOf(
  maxTokens: number,
  messages: ModelMessage[],
  own: Own & { capabilities: ServerCapabilities },
): ThinkingConfigParam | null {
  const { capabilities } = own;
  if (capabilities.thinking === 'none') return null;
  if (capabilities.thinking !== 'budget') return { type: 'adaptive', display: 'summarized' };
  const budget = Math.min(thinkingBudgetTokens, Math.floor(maxTokens / 2));
  // Thinking cannot be switched on within a tool loop that started without it.
  const last = messages.at(-1)?.role === 'tool' ? messages.at(-2) : undefined;
  const isUnthought = last?.role === 'assistant' && nativeOf(last, own) === null;
  return budget < minBudgetTokens || isUnthought
    ? null
    : { type: 'enabled', budget_tokens: budget };
}

function wireMessage(message: ModelMessage, own: Own): MessageParam {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: wireParts(message.content) };
    case 'assistant':
      return { role: 'assistant', content: nativeOf(message, own) ?? wireAnswer(message) };
    case 'tool':
      return { role: 'user', content: message.results.map(wireResult) };
  }
}

function wireAnswer({ content, toolCalls = [] }: Assistant): ContentBlockParam[] {
  return [
    ...wireParts(content),
    ...toolCalls.map((call) => ({
      type: 'tool_use' as const,
      id: wireId(call.id),
      name: wireName(call.name),
      input: argumentsObject(call),
    })),
  ];
}

/** The unchanged blocks, if they belong to this model and to exactly these calls. */
function nativeOf({ native, toolCalls = [] }: Assistant, own: Own): ContentBlockParam[] | null {
  if (native?.mode !== own.mode || native.model !== own.model) return null;
  const { blocks } = native.data as AnthropicNative;
  const ids = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
  return ids.join() === toolCalls.map(({ id }) => id).join() ? blocks : null;
}

function wireResult({
  callId,
  output,
  isError,
  images = [],
}: ModelToolResult): ToolResultBlockParam {
  const text: TextBlockParam[] = output.trim() === '' ? [] : [{ type: 'text', text: output }];
  return {
    type: 'tool_result',
    tool_use_id: wireId(callId),
    content: [...text, ...images.map(wireImage)],
    ...(isError ? { is_error: true } : {}),
  };
}

const wireParts = (parts: ModelPart[]): (TextBlockParam | ImageBlockParam)[] =>
  parts.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : wireImage(part)));

const wireImage = ({ mimeType, data }: ImagePart): ImageBlockParam => ({
  type: 'image',
  source: { type: 'base64', media_type: mimeType as 'image/png', data },
});

/** Ids of other servers may contain characters that this one refuses. */
function wireId(id: string): string {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(id)) return id;
  return `call_${createHash('sha256').update(id).digest('hex').slice(0, 24)}`;
}

/** Marks the end of the prefix that the server may cache. */
function cachedToEnd(messages: MessageParam[]): MessageParam[] {
  const last = messages.at(-1);
  if (!last || last.role !== 'user' || typeof last.content === 'string') return messages;
  const end = last.content.at(-1);
  if (!end || (end.type !== 'text' && end.type !== 'tool_result' && end.type !== 'image'))
    return messages;
  const content = [...last.content.slice(0, -1), { ...end, cache_control: ephemeral }];
  return [...messages.slice(0, -1), { ...last, content }];
}
