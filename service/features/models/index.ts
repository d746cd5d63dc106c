/** Model backends: their configuration, and one interface to all of them. */
import type { Route } from '../../http/route.ts';
import type { Log } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { AiConfigService, type AiConfigStore } from './ai-config-service.ts';
import { modelsRoutes } from './routes.ts';
import type { ModelLimits } from './wire/model-limits.ts';
import { ModelWire } from './wire/model-wire.ts';

export type * from './model-backend.ts';
export { countTokens, noTokens, tokensFor, tokensOfText, type UsedTokens } from './used-tokens.ts';

/** The models feature. */
export interface ModelsFeature {
  aiConfig: AiConfigService;
  routes: Route[];
  /** Closes all connections to model servers. */
  close(): Promise<void>;
}

export async function createModels(options: {
  /** Stores the configuration, with encrypted keys. */
  store: AiConfigStore;
  secrets: Secrets;
  limits?: Partial<ModelLimits>;
  log?: Pick<Log, 'debug'>;
}): Promise<ModelsFeature> {
  const wire = new ModelWire(options.limits, options.log);
  const aiConfig = await AiConfigService.open(options.store, options.secrets, wire);
  return { aiConfig, routes: modelsRoutes(aiConfig), close: () => wire.close() };
}
