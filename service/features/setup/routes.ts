import { api } from '../../contract/index.ts';
import { HostError } from '../../core/host-error.ts';
import { type Route, route } from '../../http/route.ts';
import type { RunMode, SetupDesk } from './setup-desk.ts';

export function setupRoutes(desk: SetupDesk, mode: RunMode): Route[] {
  const inSetup = <T>(answer: () => T): T => {
    if (mode === 'SETUP') return answer();
    throw new HostError(
      'conflict',
      'already_initialized',
      'A database is configured. Reset it in the settings first.',
    );
  };
  return [
    route(api.setup.status, () => desk.status()),
    route(api.setup.types, () => desk.types()),
    route(api.setup.testConnection, ({ body }) => inSetup(() => desk.test(body))),
    route(api.setup.initialize, ({ body }) => inSetup(() => desk.initialize(body))),
    route(api.setup.continue, () => inSetup(() => desk.continue())),
    route(api.setup.clear, async () => {
      await desk.clear();
      return undefined;
    }),
  ];
}
