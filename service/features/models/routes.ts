import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { AiConfigService } from './ai-config-service.ts';
import type { ModelProviders } from './model-providers.ts';
import { checkAddress, tryBackend } from './try-backend.ts';

export function modelsRoutes(aiConfig: AiConfigService, providers: ModelProviders): Route[] {
  return [
    route(api.aiConfig.get, () => aiConfig.view()),
    route(api.aiConfig.put, ({ body }) => aiConfig.change(body)),
    route(api.aiConfig.test, ({ body, signal }) => {
      const { mode, endpoint, baseUrl = endpoint, apiKey, model } = body;
      const { config, backend } = aiConfig.trial(mode, { apiKey, model, baseUrl });
      return tryBackend(config, backend, signal);
    }),
    route(api.aiConfig.models, async ({ query, signal }) => {
      const mode = query.mode ?? aiConfig.view().activeMode;
      const { config, backend } = aiConfig.trial(mode, {});
      checkAddress(config);
      return { mode, models: await backend.models(signal) };
    }),
    route(api.providers.list, () => providers.list()),
    route(api.providers.create, ({ body }) => providers.add(body)),
    route(api.providers.replace, ({ params, body }) => providers.replace(params.id, body)),
    route(api.providers.remove, async ({ params }) => {
      await providers.remove(params.id);
      return undefined;
    }),
    route(api.providers.test, ({ body, signal }) => {
      const { config, backend } = providers.trial(body);
      return tryBackend(config, backend, signal, true);
    }),
    route(api.providers.models, async ({ params, signal }) => ({
      models: await providers.stored(params.id).backend.models(signal),
    })),
  ];
}
