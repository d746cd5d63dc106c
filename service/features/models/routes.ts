import { api } from '../../contract/index.ts';
import { type Route, route } from '../../http/route.ts';
import type { AiConfigBook } from './ai-config-book.ts';
import { checkAddress, tryBackend } from './try-backend.ts';

export function modelsRoutes(book: AiConfigBook): Route[] {
  return [
    route(api.aiConfig.get, () => book.shown()),
    route(api.aiConfig.put, ({ body }) => book.change(body)),
    route(api.aiConfig.test, ({ body, signal }) => {
      const { mode, endpoint, baseUrl = endpoint, apiKey, model } = body;
      const { config, backend } = book.trial(mode, { apiKey, model, baseUrl });
      return tryBackend(config, backend, signal);
    }),
    route(api.aiConfig.models, async ({ query, signal }) => {
      const mode = query.mode ?? book.shown().activeMode;
      const { config, backend } = book.trial(mode, {});
      checkAddress(config);
      return { mode, models: await backend.models(signal) };
    }),
  ];
}
