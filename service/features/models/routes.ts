import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { AiConfigService } from './ai-config-service.ts';
import { checkAddress, tryBackend } from './try-backend.ts';

export function modelsRoutes(aiConfig: AiConfigService): Route[] {
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
  ];
}
