import { api } from '../../../contract/index.ts';
import { HostError } from '../../../core/host-error.ts';
import { type Route, route } from '../../../http/route.ts';
import type { MemoryStore } from './memory-store.ts';
import { msg } from '../../../messages/index.ts';

/** Lets people view and delete memories, whether or not models may use them now. */
export function memoryRoutes(store: MemoryStore): Route[] {
  const { memories } = api;
  return [
    route(memories.list, ({ query: { q = '', limit, before } }) => store.find(q, limit, before)),
    route(memories.forget, async ({ params }) => {
      if (await store.remove(params.id)) return undefined;
      throw new HostError('missing', 'unknown_memory', msg('memory.unknown'));
    }),
    route(memories.forgetAll, async () => ({ forgotten: await store.removeAll() })),
  ];
}
