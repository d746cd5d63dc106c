import type { Anthropic } from '@anthropic-ai/sdk';
import { addressOf, type BackendConfig } from '../backend-config.ts';
import type { ModelBackend, ModelEvent, ModelRequest } from '../model-backend.ts';
import { documentIn } from '../wire/answer-events.ts';
import { eventsOfAnswer } from '../wire/events-of-answer.ts';
import {
  learnNoImages,
  learnNoTemperature,
  learnNoToolChoice,
  learnNoTools,
  learnPlainSchemas,
  refuses,
} from '../wire/learn.ts';
import { ModelError } from '../wire/model-error.ts';
import type { ModelWire } from '../wire/model-wire.ts';
import { protocolBackend } from '../wire/protocol-backend.ts';
import type { ServerCapabilities } from '../wire/server-capabilities.ts';
import { ToolCalls } from '../wire/tool-calls.ts';
import { ownNames } from '../wire/tool-names.ts';
import { AnthropicAnswer, type AnthropicEvent } from './anthropic-answer.ts';
import { type AnthropicNative, anthropicRequest } from './anthropic-request.ts';

/** Disables the SDK's own timeout, since `ModelLimits` apply. */
const packageTimeoutMs = 2 ** 31 - 1;
const modelsInPage = 1_000;
/** For models whose server reports no limit. */
const smallMaxTokens = 4_096;

/** Creates a backend for the Messages API of Anthropic. */
export function anthropicBackend(
  config: BackendConfig,
  wire: ModelWire,
  capabilities: ServerCapabilities,
): ModelBackend {
  return protocolBackend(config, wire.limits, {
    ask: (request, signal) => answer(request, { config, wire, capabilities, signal }),
    list: (signal) => list(config, wire, signal),
    learn: (modelError, request) => learn(capabilities, modelError, request),
  });
}

async function list(config: BackendConfig, wire: ModelWire, signal: AbortSignal): Promise<unknown> {
  const api = await newClient(config, wire);
  const query = { limit: modelsInPage };
  const response = await api.get('/v1/models', { query, signal }).asResponse();
  const document = (await documentIn(response, wire.limits)) as { data?: unknown } | null;
  return document?.data;
}

interface Asking {
  config: BackendConfig;
  wire: ModelWire;
  capabilities: ServerCapabilities;
  signal: AbortSignal;
}

async function* answer(
  request: ModelRequest,
  { config, wire, capabilities, signal }: Asking,
): AsyncGenerator<ModelEvent[]> {
  const { mode, model } = config;
  const read = new AnthropicAnswer(new ToolCalls(wire.limits, ownNames(request.tools)));
  const api = await newClient(config, wire);
  const body = anthropicRequest(request, { mode, model, capabilities });
  const isOver = (): boolean => read.complete || read.reason !== null;
  yield* eventsOfAnswer({
    limits: wire.limits,
    signal,
    ask: (own) => api.messages.create(body, { signal: own }).asResponse(),
    read: (event) => read.read(event as AnthropicEvent),
    isOver,
  });
  if (!isOver()) throw new ModelError('broken-off');
  const calls = read.end();
  yield calls;
  const blocks = read.native(calls.filter((event) => event.type === 'tool-call'));
  const data: AnthropicNative | null = blocks && { blocks };
  const native = data ? { mode, model, data } : undefined;
  yield [{ type: 'end', reason: read.reason ?? 'stop', detail: read.detail, native }];
}

function learn(
  capabilities: ServerCapabilities,
  modelError: ModelError,
  request: ModelRequest,
): boolean {
  if (!refuses(modelError)) return false;
  return (
    learnMaxTokens(capabilities, modelError) ||
    learnNoTemperature(capabilities, modelError, request) ||
    learnThinking(capabilities, modelError) ||
    learnNoToolChoice(capabilities, modelError, request) ||
    learnPlainSchemas(capabilities, modelError, request) ||
    learnNoTools(capabilities, modelError, request) ||
    learnNoImages(capabilities, modelError, request)
  );
}

/**
 * Reads the limit from `max_tokens: 32000 > 8192, which is the maximum allowed number of output
 * tokens`.
 */
function learnMaxTokens(capabilities: ServerCapabilities, { text }: ModelError): boolean {
  if (
    !/max_tokens/.test(text) ||
    /budget_tokens/.test(text) ||
    capabilities.maxTokens === smallMaxTokens
  )
    return false;
  const most = Number(/max_tokens\D*\d+ > (\d+)/.exec(text)?.[1] ?? smallMaxTokens);
  capabilities.maxTokens = most === capabilities.maxTokens ? smallMaxTokens : most;
  return true;
}

/** Older models use another form of thinking; the oldest and other servers' models have none. */
function learnThinking(capabilities: ServerCapabilities, { text }: ModelError): boolean {
  if (capabilities.thinking === 'none' || !/thinking|adaptive/i.test(text)) return false;
  capabilities.thinking = capabilities.thinking === 'budget' ? 'none' : 'budget';
  return true;
}

async function newClient(config: BackendConfig, wire: ModelWire): Promise<Anthropic> {
  // Loaded on demand, to keep the start of the host short.
  const { Anthropic: Client } = await import('@anthropic-ai/sdk');
  const { apiKey } = config;
  return new Client({
    baseURL: addressOf(config),
    fetch: wire.fetch(apiKey === '' ? {} : { 'x-api-key': apiKey }),
    // `ModelWire` sends the key; without a value here, the SDK would read it from the environment.
    apiKey: 'unused',
    authToken: null,
    webhookKey: null,
    maxRetries: 0,
    timeout: packageTimeoutMs,
    logLevel: 'off',
    openTelemetry: false,
  });
}
