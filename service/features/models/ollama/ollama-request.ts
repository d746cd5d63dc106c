import type { AiMode } from '../../../contract/index.ts';
import type { ModelMessage, ModelRequest } from '../model-backend.ts';
import { argumentsObject, imagesOf, preparedMessages, textOf } from '../wire/prepared-messages.ts';
import type { ServerCapabilities } from '../wire/server-capabilities.ts';
import { functionTools, wireName } from '../wire/tool-names.ts';

/** Body of `POST /api/chat`, as far as it is used. */
export interface OllamaRequest {
  model: string;
  stream: true;
  messages: OllamaMessage[];
  tools?: { type: 'function'; function: OllamaTool }[];
  options: { num_ctx?: number; num_predict?: number; temperature?: number };
}

interface OllamaTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

interface OllamaMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  content: string;
  /** Base64. */
  images?: string[];
  tool_calls?: { function: { name: string; arguments: Record<string, unknown> } }[];
  thinking?: string;
  tool_name?: string | undefined;
}

export interface OllamaNative {
  thinking: string;
}

export interface OllamaFacts {
  mode: AiMode;
  model: string;
  contextWindowTokens: number;
  capabilities: ServerCapabilities;
}

/** A request as Ollama's chat takes it. */
export function ollamaRequest(
  request: ModelRequest,
  { mode, model, contextWindowTokens, capabilities }: OllamaFacts,
): OllamaRequest {
  const { system = '', maxTokens, temperature } = request;
  const messages = preparedMessages(request.messages, { images: !capabilities.noImages });
  const names = callNames(messages);
  const loopStart = messages.findLastIndex(({ role }) => role === 'user');
  return {
    model,
    stream: true,
    messages: [
      ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
      ...messages.flatMap((message, i) =>
        wireMessages(message, names, i > loopStart ? { mode, model } : null),
      ),
    ],
    ...functionTools(request, capabilities),
    options: {
      // Without it the server cuts a conversation at its own small window, and says nothing.
      ...(contextWindowTokens > 0 ? { num_ctx: contextWindowTokens } : {}),
      ...(maxTokens === undefined ? {} : { num_predict: maxTokens }),
      ...(temperature === undefined ? {} : { temperature }),
    },
  };
}

function wireMessages(
  message: ModelMessage,
  names: Map<string, string>,
  loopOf: { mode: AiMode; model: string } | null,
): OllamaMessage[] {
  switch (message.role) {
    case 'user': {
      const images = imagesOf(message.content).map(({ data }) => data);
      const content = textOf(message.content);
      return [{ role: 'user', content, ...(images.length === 0 ? {} : { images }) }];
    }
    case 'assistant': {
      const { content, toolCalls = [], native } = message;
      const calls = toolCalls.map((call) => ({
        function: { name: wireName(call.name), arguments: argumentsObject(call) },
      }));
      const isOwn =
        native !== undefined && native.mode === loopOf?.mode && native.model === loopOf.model;
      const { thinking } = isOwn ? (native.data as Partial<OllamaNative>) : {};
      return [
        {
          role: 'assistant',
          content: textOf(content),
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
          ...(thinking ? { thinking } : {}),
        },
      ];
    }
    case 'tool':
      return message.results.map(({ callId, output, images = [] }) => ({
        role: 'tool',
        content: output,
        tool_name: names.get(callId),
        ...(images.length === 0 ? {} : { images: images.map(({ data }) => data) }),
      }));
  }
}

/** The server knows the results of tools by their names. */
function callNames(messages: ModelMessage[]): Map<string, string> {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  return new Map(calls.map(({ id, name }) => [id, wireName(name)]));
}
