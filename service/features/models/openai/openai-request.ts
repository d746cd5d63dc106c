import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { BackendKind } from '../backend-config.ts';
import type { ImagePart, ModelMessage, ModelPart, ModelRequest } from '../model-backend.ts';
import { imagesOf, preparedMessages, textOf } from '../wire/prepared-messages.ts';
import type { ServerCapabilities } from '../wire/server-capabilities.ts';
import { functionTools, wireName } from '../wire/tool-names.ts';
import type { AiMode } from '../../../contract/index.ts';

/** Thinking with the field name it came in; some servers require it back within a tool loop. */
export interface OpenAiNative {
  reasoningField: string;
  reasoning: string;
}

/** The configuration that a request depends on. */
export interface RequestFacts {
  mode: AiMode;
  maxTokensName: BackendKind['maxTokensName'];
  model: string;
  capabilities: ServerCapabilities;
}

/** Converts a request for chat completions. */
export function openAiRequest(
  request: ModelRequest,
  { mode, model, capabilities, maxTokensName }: RequestFacts,
): ChatCompletionCreateParamsStreaming {
  const { system = '', maxTokens, temperature } = request;
  const messages = preparedMessages(request.messages, { images: !capabilities.noImages });
  const loopStart = messages.findLastIndex(({ role }) => role === 'user');
  const first: ChatCompletionMessageParam[] =
    system === '' ? [] : [{ role: 'system', content: system }];
  return {
    model,
    stream: true,
    messages: [
      ...first,
      ...messages.flatMap((message, i) =>
        wireMessages(message, i > loopStart ? { mode, model } : null),
      ),
    ],
    ...functionTools(request, capabilities),
    ...(capabilities.noUsage ? {} : { stream_options: { include_usage: true } }),
    ...(maxTokens === undefined ? {} : { [maxTokensName]: maxTokens }),
    ...(temperature === undefined || capabilities.noTemperature ? {} : { temperature }),
  };
}

function wireMessages(
  message: ModelMessage,
  loopOf: { mode: AiMode; model: string } | null,
): ChatCompletionMessageParam[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: wireContent(message.content) }];
    case 'assistant':
      return [wireAnswer(message, loopOf)];
    case 'tool': {
      const images = message.results.flatMap((result) => result.images ?? []);
      return [
        ...message.results.map(({ callId, output }) => ({
          role: 'tool' as const,
          tool_call_id: callId,
          content: output,
        })),
        // Tool results can only be text in this API.
        ...(images.length === 0 ? [] : [{ role: 'user' as const, content: images.map(wireImage) }]),
      ];
    }
  }
}

function wireAnswer(
  { content, toolCalls = [], native }: Extract<ModelMessage, { role: 'assistant' }>,
  loopOf: { mode: AiMode; model: string } | null,
): ChatCompletionMessageParam {
  const text = textOf(content);
  const calls = toolCalls.map(({ id, name, arguments: json }) => ({
    id,
    type: 'function' as const,
    function: { name: wireName(name), arguments: isJson(json) ? json : '{}' },
  }));
  const isOwn =
    native !== undefined && native.mode === loopOf?.mode && native.model === loopOf.model;
  const thought = isOwn ? (native.data as OpenAiNative) : null;
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(thought === null ? {} : { [thought.reasoningField]: thought.reasoning }),
  };
}

function wireContent(parts: ModelPart[]): string | (WireText | ReturnType<typeof wireImage>)[] {
  if (imagesOf(parts).length === 0) return textOf(parts);
  return parts.map((part) =>
    part.type === 'image' ? wireImage(part) : { type: 'text', text: part.text },
  );
}

interface WireText {
  type: 'text';
  text: string;
}

const wireImage = ({ mimeType, data }: ImagePart) => ({
  type: 'image_url' as const,
  image_url: { url: `data:${mimeType};base64,${data}` },
});

/** Some servers parse the arguments of earlier calls and fail on invalid JSON. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
