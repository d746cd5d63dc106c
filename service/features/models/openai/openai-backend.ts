import type { OpenAI } from 'openai';
import { addressOf, type BackendConfig } from '../backend-config.ts';
import type { ModelBackend, ModelEvent, ModelRequest } from '../model-backend.ts';
import { documentIn, lastEvent } from '../wire/answer-events.ts';
import { eventsOfAnswer } from '../wire/events-of-answer.ts';
import {
  learnNoImages,
  learnNoTemperature,
  learnNoTools,
  learnPlainSchemas,
  refuses,
} from '../wire/learn.ts';
import { ModelError } from '../wire/model-error.ts';
import type { ModelWire } from '../wire/model-wire.ts';
import { protocolBackend } from '../wire/protocol-backend.ts';
import type { ServerCapabilities } from '../wire/server-capabilities.ts';
import { ThinkTags } from '../wire/think-tags.ts';
import { ToolCalls } from '../wire/tool-calls.ts';
import { ownNames } from '../wire/tool-names.ts';
import { OpenAiAnswer, type OpenAiChunk } from './openai-answer.ts';
import { type OpenAiNative, openAiRequest } from './openai-request.ts';

/** Disables the SDK's own timeout, since `ModelLimits` apply. */
const packageTimeoutMs = 2 ** 31 - 1;

/** Creates a backend for chat completions of OpenAI or a compatible server. */
export function openAiBackend(
  config: BackendConfig,
  wire: ModelWire,
  capabilities: ServerCapabilities,
): ModelBackend {
  const learnFromList = (modelError: ModelError): boolean =>
    learnRoot(config, capabilities, modelError);
  return protocolBackend(config, wire.limits, {
    ask: (request, signal) => askOpenAi(request, { config, wire, capabilities, signal }),
    list: (signal) => listOpenAi({ config, wire, capabilities, signal }),
    learn: (modelError, request) =>
      learnFromList(modelError) || learnOpenAi(capabilities, modelError, request),
    learnFromList,
  });
}

/** The server and the signal of one request. */
export interface Asking {
  config: BackendConfig;
  wire: ModelWire;
  capabilities: ServerCapabilities;
  signal: AbortSignal;
}

export async function listOpenAi({ config, wire, capabilities, signal }: Asking): Promise<unknown> {
  const api = await newClient(config, wire, capabilities);
  const response = await api.get('/models', { signal }).asResponse();
  const list = (await documentIn(response, wire.limits)) as Record<string, unknown> | null;
  return Array.isArray(list) ? list : (list?.['data'] ?? list?.['models']);
}

/** Makes one attempt at chat completions. */
export async function* askOpenAi(
  request: ModelRequest,
  { config, wire, capabilities, signal }: Asking,
): AsyncGenerator<ModelEvent[]> {
  const { mode, model } = config;
  const calls = new ToolCalls(wire.limits, ownNames(request.tools));
  const read = new OpenAiAnswer(calls, config.kind.writesThinkTags ? new ThinkTags() : null);
  const api = await newClient(config, wire, capabilities);
  const body = openAiRequest(request, { ...config, ...config.kind, capabilities });
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
  if (!isOver()) throw new ModelError('broken-off');
  yield read.end();
  const data: OpenAiNative = { reasoningField: read.reasoningField, reasoning: read.reasoning };
  const native = read.reasoning !== '' && calls.any ? { mode, model, data } : undefined;
  yield [{ type: 'end', reason: read.endReason(), native }];
}

/** Address of chat completions: below `/v1`, unless the configured address has a path. */
function compatibleAddress(config: BackendConfig, capabilities: ServerCapabilities): string {
  const address = addressOf(config);
  if (config.kind.root === 'below-v1') return address.endsWith('/v1') ? address : `${address}/v1`;
  return hasPath(address) || capabilities.atRoot ? address : `${address}/v1`;
}

const hasPath = (address: string): boolean => (URL.parse(address)?.pathname ?? '/') !== '/';

/** Records features that a compatible server refuses. */
export function learnOpenAi(
  capabilities: ServerCapabilities,
  modelError: ModelError,
  request: ModelRequest,
): boolean {
  if (
    refuses(modelError) &&
    !capabilities.noUsage &&
    /stream_options|include_usage/.test(modelError.text)
  ) {
    capabilities.noUsage = true;
    return true;
  }
  return (
    learnNoTemperature(capabilities, modelError, request) ||
    learnPlainSchemas(capabilities, modelError, request) ||
    learnNoTools(capabilities, modelError, request) ||
    learnNoImages(capabilities, modelError, request)
  );
}

/** Some servers have no `/v1`; an address with a path is used as it is. */
function learnRoot(
  config: BackendConfig,
  capabilities: ServerCapabilities,
  modelError: ModelError,
): boolean {
  const isMissing =
    modelError.kind === 'refused' && (modelError.status === 404 || modelError.status === 405);
  if (
    config.kind.root !== 'learned' ||
    !isMissing ||
    /model/i.test(`${modelError.code} ${modelError.text}`)
  )
    return false;
  if (hasPath(addressOf(config)) || capabilities.atRoot !== undefined) return false;
  capabilities.atRoot = true;
  return true;
}

async function newClient(
  config: BackendConfig,
  wire: ModelWire,
  capabilities: ServerCapabilities,
): Promise<OpenAI> {
  // Loaded on demand, to keep the start of the host short.
  const { OpenAI: Client } = await import('openai');
  const { apiKey } = config;
  return new Client({
    baseURL: compatibleAddress(config, capabilities),
    fetch: wire.fetch(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
    // `ModelWire` sends the key; without a value here, the SDK would read it from the environment.
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
