import type { Ollama } from 'ollama/browser';
import { addressOf } from '../backend-config.ts';
import type { ModelEvent, ModelRequest } from '../model-backend.ts';
import type { Asking } from '../openai/openai-backend.ts';
import { faultOf, ModelFault } from '../wire/model-fault.ts';
import { ThinkTags } from '../wire/think-tags.ts';
import { ToolCalls } from '../wire/tool-calls.ts';
import { ownNames } from '../wire/tool-names.ts';
import { OllamaAnswer } from './ollama-answer.ts';
import { type OllamaNative, ollamaRequest } from './ollama-request.ts';

/** One try of Ollama's chat. */
export async function* askOllama(
  request: ModelRequest,
  asking: Asking,
): AsyncGenerator<ModelEvent[]> {
  const { config, wire, traits, signal } = asking;
  const { mode, model, contextWindowTokens } = config;
  const calls = new ToolCalls(wire.limits, ownNames(request.tools));
  const read = new OllamaAnswer(calls, new ThinkTags());
  const api = await newClient(asking);
  try {
    const lines = await api.chat(
      ollamaRequest(request, { mode, model, contextWindowTokens, traits }),
    );
    for await (const line of lines) yield read.read(line);
  } catch (error) {
    throw ollamaFault(error);
  }
  signal.throwIfAborted();
  yield read.end();
  const data: OllamaNative = { thinking: read.thinking };
  const native = read.thinking !== '' && calls.any ? { mode, model, data } : undefined;
  yield [{ type: 'end', reason: read.endReason(), native }];
}

export async function listOllama(asking: Asking): Promise<unknown> {
  const api = await newClient(asking);
  return ((await api.list()) as { models?: unknown } | null)?.models;
}

/** The package throws what the server says in its stream as a plain error. */
function ollamaFault(error: unknown): ModelFault {
  const fault = faultOf(error);
  if (fault.kind !== 'broken-off' || !(error instanceof Error)) return fault;
  if (error instanceof ModelFault || error.message.startsWith('Did not receive done')) return fault;
  return new ModelFault('refused', { text: error.message, cause: error });
}

async function newClient({ config, wire, signal }: Asking): Promise<Ollama> {
  // A start of the host does not wait for it. The other door of the package reads files that images name.
  const { Ollama: Client } = await import('ollama/browser');
  const { apiKey } = config;
  const headers: Record<string, string> =
    apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
  const fetch = wire.fetch({ headers, body: 'lines' });
  return new Client({
    host: addressOf(config),
    fetch: (input, init) => fetch(input, { ...init, signal }),
  });
}
