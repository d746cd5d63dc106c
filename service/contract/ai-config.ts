import { z } from 'zod';
import { endpoint, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';

/**
 * - `local`: a local model server: Ollama's API, otherwise an OpenAI-compatible API below `/v1`
 * - `cloud_a`: OpenAI, chat completions
 * - `cloud_b`: Anthropic, Messages API
 * - `cloud_c`: any OpenAI-compatible server
 */
export const AiMode = z.enum(['local', 'cloud_a', 'cloud_b', 'cloud_c']);
export type AiMode = z.output<typeof AiMode>;

export const eachMode = <T>(make: (mode: AiMode) => T): Record<AiMode, T> =>
  Object.fromEntries(AiMode.options.map((mode) => [mode, make(mode)])) as Record<AiMode, T>;

/**
 * A model of one of the four modes, or of a provider by its id. With neither, a model of the active
 * mode.
 */
export const ModelChoice = z
  .strictObject({
    mode: AiMode.optional(),
    provider: z.string().min(1).max(100).optional(),
    name: z.string().trim().min(1).max(500),
  })
  .refine(({ mode, provider }) => mode === undefined || provider === undefined, {
    path: ['provider'],
    message: 'field.notBesideMode',
  });
export type ModelChoice = z.output<typeof ModelChoice>;

/**
 * HTTP headers allow only these characters; surrounding spaces are often copied along with a key.
 */
export const ApiKey = z
  .string()
  .trim()
  .max(4_096)
  .regex(/^[\x21-\x7e]*$/, 'field.plainCharacters');

export const ModelName = z.string().trim().max(500);

/** Empty: the default address of the mode. */
export const BaseUrl = z.string().trim().max(2_048).refine(isBaseUrl, 'field.baseUrl');

function isBaseUrl(text: string): boolean {
  return (
    text === '' ||
    (/^https?:\/\/[^\s/@?#\\]+(\/[^\s@?#\\]*)?$/i.test(text) && z.url().safeParse(text).success)
  );
}

export const AiBackend = z.strictObject({
  /** Masked with `***` in every response; a masked value in a request leaves the key unchanged. */
  apiKey: ApiKey.default(''),
  model: ModelName.default(''),
  baseUrl: BaseUrl.default(''),
});
export type AiBackend = z.output<typeof AiBackend>;

const unsetBackend: AiBackend = { apiKey: '', model: '', baseUrl: '' };

/**
 * The stored configuration. Every key has a default, so a fresh installation returns all of them.
 */
export const StoredAiConfig = z.strictObject({
  activeMode: AiMode.default('local'),
  /** 0 disables automatic compaction. */
  contextWindowTokens: z.int().min(0).max(100_000_000).default(32_768),
  ...eachMode(() => AiBackend.default(unsetBackend)),
});
export type StoredAiConfig = z.output<typeof StoredAiConfig>;

export const AiConfig = StoredAiConfig.extend({
  /** True if the active backend is fully configured. */
  ready: z.boolean(),
});
export type AiConfig = z.output<typeof AiConfig>;

const BackendPatch = z.strictObject({
  apiKey: ApiKey.optional(),
  model: ModelName.optional(),
  baseUrl: BaseUrl.optional(),
});

/** In the backends, too, only the keys that are present change. */
export const AiConfigPatch = z.strictObject({
  activeMode: AiMode.optional(),
  contextWindowTokens: StoredAiConfig.shape.contextWindowTokens.unwrap().optional(),
  ...eachMode(() => BackendPatch.optional()),
  /** Read-only; accepted so that a whole response can be sent back. */
  ready: z.boolean().optional(),
});
export type AiConfigPatch = z.output<typeof AiConfigPatch>;

/** Missing values are taken from the stored configuration. `endpoint` is a synonym of `baseUrl`. */
export const AiConfigTrial = z.strictObject({
  mode: AiMode,
  endpoint: BaseUrl.optional(),
  baseUrl: BaseUrl.optional(),
  apiKey: ApiKey.optional(),
  model: ModelName.optional(),
});
export type AiConfigTrial = z.output<typeof AiConfigTrial>;

export const AiConfigTrialResult = z.object({
  success: z.boolean(),
  message: z.string().optional(),
  text: HostMessage.optional(),
  /** Models of the server, if it lists them. */
  models: z.array(z.string()).optional(),
  elapsedMs: z.number(),
});
export type AiConfigTrialResult = z.output<typeof AiConfigTrialResult>;

export const AiModels = z.object({ mode: AiMode, models: z.array(z.string()) });

export const aiConfig = {
  get: endpoint({
    method: 'GET',
    path: '/api/ai/config',
    access: token,
    summary: 'The model backends, keys masked',
    reply: AiConfig,
  }),
  put: endpoint({
    method: 'PUT',
    path: '/api/ai/config',
    access: token,
    summary: 'Change what is in the body; in force with the next turn',
    body: AiConfigPatch,
    reply: AiConfig,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/ai/config/test',
    access: token,
    summary: 'Try a backend; nothing is stored',
    body: AiConfigTrial,
    reply: AiConfigTrialResult,
  }),
  models: endpoint({
    method: 'GET',
    path: '/api/ai/models',
    access: token,
    summary: 'The models of a server that lists them; without `mode` those of the active one',
    query: z.object({ mode: AiMode.optional() }),
    reply: AiModels,
    problems: ['model_unreachable', 'model_key_refused', 'model_no_address'],
  }),
} as const;
