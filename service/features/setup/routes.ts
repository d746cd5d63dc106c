import { api } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { type Route, route } from '../../http/route.ts';
import type { RunMode, SetupService } from './setup-service.ts';
import { msg } from '../../messages/index.ts';

export function setupRoutes(service: SetupService, mode: RunMode): Route[] {
  const inSetup = <T>(answer: () => T): T => {
    if (mode === 'SETUP') return answer();
    throw new HostError('conflict', 'already_initialized', msg('setup.alreadyDone'));
  };
  return [
    route(api.setup.status, () => service.status()),
    route(api.setup.types, () => service.types()),
    route(api.setup.testConnection, ({ body }) => inSetup(() => service.test(body))),
    route(api.setup.initialize, ({ body }) => inSetup(() => service.initialize(body))),
    route(api.setup.continue, () => inSetup(() => service.continue())),
    route(api.setup.clear, async () => {
      await service.clear();
      return undefined;
    }),
  ];
}
