import { z } from 'zod';
import { AiConfigTrialResult, ApiKey, BaseUrl, ModelName } from './ai-config.ts';
import { endpoint, token } from './endpoint.ts';

/**
 * - `openai`: chat completions of OpenAI or a compatible server
 * - `anthropic`: the Messages API
 * - `ollama`: Ollama's API, otherwise an OpenAI-compatible API below `/v1`
 */
export const ProviderProtocol = z.enum(['openai', 'anthropic', 'ollama']);
export type ProviderProtocol = z.output<typeof ProviderProtocol>;

const NewBaseUrl = BaseUrl.refine((address) => address !== '', 'field.empty');

const ProviderFields = z.strictObject({
  name: z.string().trim().min(1).max(100),
  protocol: ProviderProtocol,
  baseUrl: NewBaseUrl,
  apiKey: ApiKey.default(''),
  /** Models to choose from, the preferred one first. Absent: the models that the server lists. */
  models: z.array(ModelName.min(1)).max(500).optional(),
  /**
   * Context window of the models; absent: the value in the AI config. 0 disables automatic
   * compaction.
   */
  contextWindowTokens: z.int().min(0).max(100_000_000).optional(),
});

/** The key is masked with `***`. */
export const Provider = ProviderFields.extend({ id: z.string() });
export type Provider = z.output<typeof Provider>;

export const NewProvider = ProviderFields;
export type NewProvider = z.output<typeof NewProvider>;

/**
 * An absent or masked key stays unchanged. The id is accepted so that a whole response can be sent
 * back.
 */
export const ProviderReplacement = ProviderFields.extend({
  id: z.string().optional(),
  apiKey: ApiKey.optional(),
});
export type ProviderReplacement = z.output<typeof ProviderReplacement>;

const ProviderTrial = z.strictObject({
  /** Provider whose stored key is used for an absent or masked one. */
  id: z.string().max(100).optional(),
  protocol: ProviderProtocol,
  baseUrl: NewBaseUrl,
  apiKey: ApiKey.optional(),
  /** Model that is asked for one word; absent: the models are only listed. */
  model: ModelName.optional(),
});
export type ProviderTrial = z.output<typeof ProviderTrial>;

const ById = z.object({ id: z.string().max(100) });

export const providers = {
  list: endpoint({
    method: 'GET',
    path: '/api/ai/providers',
    access: token,
    summary: 'Model providers beside the four modes of the AI config, keys masked',
    reply: z.array(Provider),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/ai/providers',
    access: token,
    summary: 'Add a provider; its models are chosen as {provider, name}',
    body: NewProvider,
    reply: Provider,
    status: 201,
    problems: ['provider_exists', 'too_many_providers'],
  }),
  replace: endpoint({
    method: 'PUT',
    path: '/api/ai/providers/{id}',
    access: token,
    summary: 'Replace a provider; in force with the next turn',
    params: ById,
    body: ProviderReplacement,
    reply: Provider,
    problems: ['unknown_provider', 'provider_exists'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/ai/providers/{id}',
    access: token,
    summary: 'Remove a provider; conversations with its models need another one',
    params: ById,
    problems: ['unknown_provider'],
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/ai/providers/test',
    access: token,
    summary: 'Try a provider; nothing is stored',
    body: ProviderTrial,
    reply: AiConfigTrialResult,
    problems: ['unknown_provider'],
  }),
  models: endpoint({
    method: 'GET',
    path: '/api/ai/providers/{id}/models',
    access: token,
    summary: 'The models that the server of a provider lists',
    params: ById,
    reply: z.object({ models: z.array(z.string()) }),
    problems: ['unknown_provider', 'model_unreachable', 'model_key_refused'],
  }),
} as const;
