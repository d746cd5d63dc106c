import { z } from 'zod';
import { endpoint, token } from './endpoint.ts';
import { HostMessage } from './host-message.ts';

/**
 * - `local`: a model server near by: Ollama's API, else an OpenAI-compatible one below `/v1`
 * - `cloud_a`: OpenAI, chat completions
 * - `cloud_b`: Anthropic, Messages API
 * - `cloud_c`: any OpenAI-compatible server
 */
export const AiMode = z.enum(['local', 'cloud_a', 'cloud_b', 'cloud_c']);
export type AiMode = z.output<typeof AiMode>;

export const eachMode = <T>(make: (mode: AiMode) => T): Record<AiMode, T> =>
  Object.fromEntries(AiMode.options.map((mode) => [mode, make(mode)])) as Record<AiMode, T>;

/**
 * A model: of one of the four modes, or of a provider by its id. With neither it is a model of the
 * active mode.
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

/** Headers carry nothing else, and a key that was copied brings spaces along. */
export const ApiKey = z
  .string()
  .trim()
  .max(4_096)
  .regex(/^[\x21-\x7e]*$/, 'field.plainCharacters');

export const ModelName = z.string().trim().max(500);

/** Empty stands for the usual address of the mode. */
export const BaseUrl = z.string().trim().max(2_048).refine(isBaseUrl, 'field.baseUrl');

function isBaseUrl(text: string): boolean {
  return (
    text === '' ||
    (/^https?:\/\/[^\s/@?#\\]+(\/[^\s@?#\\]*)?$/i.test(text) && z.url().safeParse(text).success)
  );
}

export const AiBackend = z.strictObject({
  /** Masked with `***` in every answer; a masked value sent back is taken as unchanged. */
  apiKey: ApiKey.default(''),
  model: ModelName.default(''),
  baseUrl: BaseUrl.default(''),
});
export type AiBackend = z.output<typeof AiBackend>;

const unsetBackend: AiBackend = { apiKey: '', model: '', baseUrl: '' };

/** What is stored. Every key has a default, so a fresh installation answers them all. */
export const StoredAiConfig = z.strictObject({
  activeMode: AiMode.default('local'),
  /** 0 switches automatic compaction off. */
  contextWindowTokens: z.int().min(0).max(100_000_000).default(32_768),
  ...eachMode(() => AiBackend.default(unsetBackend)),
});
export type StoredAiConfig = z.output<typeof StoredAiConfig>;

export const AiConfig = StoredAiConfig.extend({
  /** Whether the active backend has all that it needs to be asked. */
  ready: z.boolean(),
});
export type AiConfig = z.output<typeof AiConfig>;

const BackendPatch = z.strictObject({
  apiKey: ApiKey.optional(),
  model: ModelName.optional(),
  baseUrl: BaseUrl.optional(),
});

/** Of the backends, too, only the keys that are there are changed. */
export const AiConfigPatch = z.strictObject({
  activeMode: AiMode.optional(),
  contextWindowTokens: StoredAiConfig.shape.contextWindowTokens.unwrap().optional(),
  ...eachMode(() => BackendPatch.optional()),
  /** Only told; here so that a whole answer can be sent back. */
  ready: z.boolean().optional(),
});
export type AiConfigPatch = z.output<typeof AiConfigPatch>;

/** What is left out is taken from what is stored. `endpoint` is a synonym of `baseUrl`. */
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
  /** The server's models, where it lists them. */
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
