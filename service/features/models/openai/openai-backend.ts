import type { OpenAI } from 'openai';
import { addressOf, type BackendConfig } from '../backend-config.ts';
import type { ModelBackend, ModelEvent, ModelRequest } from '../model-backend.ts';
import { documentIn, lastEvent } from '../wire/answer-events.ts';
import { eventsOfAnswer } from '../wire/events-of-answer.ts';
import { learnNoImages, learnNoTools, learnPlainSchemas, refuses } from '../wire/learn.ts';
import { ModelFault } from '../wire/model-fault.ts';
import type { ModelWire } from '../wire/model-wire.ts';
import { protocolBackend } from '../wire/protocol-backend.ts';
import type { ServerTraits } from '../wire/server-traits.ts';
import { ThinkTags } from '../wire/think-tags.ts';
import { ToolCalls } from '../wire/tool-calls.ts';
import { ownNames } from '../wire/tool-names.ts';
import { OpenAiAnswer, type OpenAiChunk } from './openai-answer.ts';
import { type OpenAiNative, openAiRequest } from './openai-request.ts';

/** Our own limits hold; the package's would come between. */
const packageTimeoutMs = 2 ** 31 - 1;

/** Chat completions, of OpenAI or of any server that speaks like it. */
export function openAiBackend(
  config: BackendConfig,
  wire: ModelWire,
  traits: ServerTraits,
): ModelBackend {
  const learnFromList = (fault: ModelFault): boolean => learnRoot(config, traits, fault);
  return protocolBackend(config, wire.limits, {
    ask: (request, signal) => askOpenAi(request, { config, wire, traits, signal }),
    list: (signal) => listOpenAi({ config, wire, traits, signal }),
    learn: (fault, request) => learnFromList(fault) || learnOpenAi(traits, fault, request),
    learnFromList,
  });
}

export interface Asking {
  config: BackendConfig;
  wire: ModelWire;
  traits: ServerTraits;
  signal: AbortSignal;
}

export async function listOpenAi({ config, wire, traits, signal }: Asking): Promise<unknown> {
  const api = await newClient(config, wire, traits);
  const response = await api.get('/models', { signal }).asResponse();
  const list = (await documentIn(response, wire.limits)) as Record<string, unknown> | null;
  return Array.isArray(list) ? list : (list?.['data'] ?? list?.['models']);
}

/** One try. */
export async function* askOpenAi(
  request: ModelRequest,
  { config, wire, traits, signal }: Asking,
): AsyncGenerator<ModelEvent[]> {
  const { mode, model } = config;
  const calls = new ToolCalls(wire.limits, ownNames(request.tools));
  const read = new OpenAiAnswer(calls, config.kind.writesThinkTags ? new ThinkTags() : null);
  const api = await newClient(config, wire, traits);
  const body = openAiRequest(request, { ...config, ...config.kind, traits });
  let done = false;
  const isOver = (): boolean => done || read.reason !== null;
  yield* eventsOfAnswer({
    limits: wire.limits,
    signal,
    ask: (own) => api.chat.completions.create(body, { signal: own }).asResponse(),
    read(event) {
      if (event !== lastEvent) return read.read(event as OpenAiChunk);
      done = true;
      return [];
    },
    isOver,
  });
  if (!isOver()) throw new ModelFault('broken-off');
  yield read.end();
  const data: OpenAiNative = { reasoningField: read.reasoningField, reasoning: read.reasoning };
  const native = read.reasoning !== '' && calls.any ? { mode, model, data } : undefined;
  yield [{ type: 'end', reason: read.endReason(), native }];
}

/** Where chat completions are: below `/v1`, unless the person's address says otherwise. */
function compatibleAddress(config: BackendConfig, traits: ServerTraits): string {
  const address = addressOf(config);
  if (config.kind.root === 'below-v1') return address.endsWith('/v1') ? address : `${address}/v1`;
  return hasPath(address) || traits.atRoot ? address : `${address}/v1`;
}

const hasPath = (address: string): boolean => (URL.parse(address)?.pathname ?? '/') !== '/';

/** What a server that speaks like OpenAI may not take. */
export function learnOpenAi(
  traits: ServerTraits,
  fault: ModelFault,
  request: ModelRequest,
): boolean {
  if (refuses(fault) && !traits.noUsage && /stream_options|include_usage/.test(fault.text)) {
    traits.noUsage = true;
    return true;
  }
  return (
    learnPlainSchemas(traits, fault, request) ||
    learnNoTools(traits, fault, request) ||
    learnNoImages(traits, fault, request)
  );
}

/** Some servers have no `/v1`; where the address has a path, the person knows. */
function learnRoot(config: BackendConfig, traits: ServerTraits, fault: ModelFault): boolean {
  const isMissing = fault.kind === 'refused' && (fault.status === 404 || fault.status === 405);
  if (config.kind.root !== 'learned' || !isMissing || /model/i.test(`${fault.code} ${fault.text}`))
    return false;
  if (hasPath(addressOf(config)) || traits.atRoot !== undefined) return false;
  traits.atRoot = true;
  return true;
}

async function newClient(
  config: BackendConfig,
  wire: ModelWire,
  traits: ServerTraits,
): Promise<OpenAI> {
  // A start of the host does not wait for it.
  const { OpenAI: Client } = await import('openai');
  const { apiKey } = config;
  return new Client({
    baseURL: compatibleAddress(config, traits),
    fetch: wire.fetch(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
    // The key is the wire's matter; the package takes what it is not told from the environment.
    apiKey: 'unused',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: packageTimeoutMs,
    logLevel: 'off',
  });
}
