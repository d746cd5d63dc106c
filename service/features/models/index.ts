/** Model backends: their configuration, and one interface to all of them. */
import type { ModelChoice } from '../../contract/index.ts';
import type { Route } from '../../http/route.ts';
import type { Log } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { AiConfigService, type AiConfigStore } from './ai-config-service.ts';
import type { ModelBackend } from './model-backend.ts';
import { ModelProviders } from './model-providers.ts';
import { modelsRoutes } from './routes.ts';
import type { ModelLimits } from './wire/model-limits.ts';
import { ModelWire } from './wire/model-wire.ts';

export type * from './model-backend.ts';
export {
  addTokens,
  countTokens,
  noTokens,
  tokensFor,
  tokensOfText,
  type AnsweringModel,
  usageOf,
  type UsedTokens,
} from './used-tokens.ts';

/** The models feature. */
export interface ModelsFeature {
  aiConfig: AiConfigService;
  providers: ModelProviders;
  /**
   * Returns the model of a choice; without one the active model, null if that is not ready.
   * @throws HostError 404 `unknown_provider`
   */
  backend(choice?: ModelChoice): ModelBackend | null;
  /** Returns the context window of the chosen model; 0 if it is not limited. */
  contextWindowTokens(choice?: ModelChoice): number;
  routes: Route[];
  /** Closes all connections to model servers. */
  close(): Promise<void>;
}

export async function createModels(options: {
  /** Stores the configuration, with encrypted keys. */
  store: AiConfigStore;
  /** Stores the providers, with encrypted keys. */
  providers: AiConfigStore;
  secrets: Secrets;
  limits?: Partial<ModelLimits>;
  log?: Pick<Log, 'debug'>;
}): Promise<ModelsFeature> {
  const wire = new ModelWire(options.limits, options.log);
  const aiConfig = await AiConfigService.open(options.store, options.secrets, wire);
  const providers = await ModelProviders.open(options.providers, options.secrets, wire);
  return {
    aiConfig,
    providers,
    backend(choice) {
      if (choice === undefined) return aiConfig.current();
      const { mode, provider, name } = choice;
      if (provider !== undefined)
        return providers.backend(provider, name, aiConfig.contextWindowTokens);
      return aiConfig.withModel(mode, name);
    },
    contextWindowTokens: (choice) =>
      (choice?.provider === undefined
        ? undefined
        : providers.contextWindowTokens(choice.provider)) ?? aiConfig.contextWindowTokens,
    routes: modelsRoutes(aiConfig, providers),
    close: () => wire.close(),
  };
}
