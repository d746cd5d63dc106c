import { addressOf } from '../backend-config.ts';
import type { ModelEvent, ModelRequest } from '../model-backend.ts';
import type { Asking } from '../openai/openai-backend.ts';
import { documentIn, linesOf } from '../wire/answer-events.ts';
import { ModelError } from '../wire/model-error.ts';
import { ThinkTags } from '../wire/think-tags.ts';
import { ToolCalls } from '../wire/tool-calls.ts';
import { ownNames } from '../wire/tool-names.ts';
import { OllamaAnswer, type OllamaLine } from './ollama-answer.ts';
import { type OllamaNative, type OllamaRequest, ollamaRequest } from './ollama-request.ts';

/** Makes one attempt at Ollama's chat. */
export async function* askOllama(
  request: ModelRequest,
  asking: Asking,
): AsyncGenerator<ModelEvent[]> {
  const { config, wire, capabilities, signal } = asking;
  const { mode, model, contextWindowTokens } = config;
  const calls = new ToolCalls(wire.limits, ownNames(request.tools));
  const read = new OllamaAnswer(calls, new ThinkTags());
  const body = ollamaRequest(request, { mode, model, contextWindowTokens, capabilities });
  const response = await fetchOllama('/api/chat', asking, { method: 'POST', body });
  for await (const lines of linesOf(response, wire.limits))
    yield lines.flatMap((line) => read.read(line as OllamaLine));
  if (read.reason === null) throw new ModelError('broken-off');
  signal.throwIfAborted();
  yield read.end();
  const data: OllamaNative = { thinking: read.thinking };
  const native = read.thinking !== '' && calls.any ? { mode, model, data } : undefined;
  yield [{ type: 'end', reason: read.endReason(), native }];
}

export async function listOllama(asking: Asking): Promise<unknown> {
  const response = await fetchOllama('/api/tags', asking);
  const list = (await documentIn(response, asking.wire.limits)) as { models?: unknown } | null;
  return list?.models;
}

function fetchOllama(
  path: string,
  { config, wire, signal }: Asking,
  { method = 'GET', body }: { method?: string; body?: OllamaRequest } = {},
): Promise<Response> {
  const { apiKey } = config;
  const fetch = wire.fetch(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` });
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const text = body && JSON.stringify(body);
  return fetch(`${addressOf(config)}${path}`, { method, headers, body: text, signal });
}
