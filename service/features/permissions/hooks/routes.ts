import { api } from '../../../contract/index.ts';
import { type Route, route } from '../../../http/route.ts';
import type { HookRunner } from './hook-runner.ts';
import { userHook } from './runnable-hooks.ts';

export function hookRoutes(runner: Pick<HookRunner, 'status' | 'test'>): Route[] {
  return [
    route(api.hooks.status, () => runner.status()),
    route(api.hooks.test, ({ body: { hook, payload }, signal }) =>
      runner.test(typeof hook === 'string' ? hook : userHook(hook), payload, signal),
    ),
  ];
}
