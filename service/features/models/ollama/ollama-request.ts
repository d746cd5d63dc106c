import type { AiMode } from '../../../contract/index.ts';
import type { ModelMessage, ModelRequest } from '../model-backend.ts';
import { argumentsObject, imagesOf, preparedMessages, textOf } from '../wire/prepared-messages.ts';
import type { ServerCapabilities } from '../wire/server-capabilities.ts';
import { functionTools, wireName } from '../wire/tool-names.ts';

/** Body of `POST /api/chat`, with the fields in use. */
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
  /** Base64 data. */
  images?: string[];
  tool_calls?: { function: { name: string; arguments: Record<string, unknown> } }[];
  thinking?: string;
  tool_name?: string | undefined;
}

/** Thinking of an answer, sent back within a tool loop. */
export interface OllamaNative {
  thinking: string;
}

/** The configuration that a request depends on. */
export interface OllamaFacts {
  mode: AiMode;
  model: string;
  contextWindowTokens: number;
  capabilities: ServerCapabilities;
}

/** Converts a request for Ollama's chat. */
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
      // Without it, the server silently cuts the conversation at its small default window.
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

/** Tool names by call id, since the server identifies results by name. */
function callNames(messages: ModelMessage[]): Map<string, string> {
  const calls = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []) : [],
  );
  return new Map(calls.map(({ id, name }) => [id, wireName(name)]));
}
