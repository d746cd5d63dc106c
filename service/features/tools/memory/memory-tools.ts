import { HostError } from '../../../core/host-error.ts';
import { jsonResult, type Tool, type ToolSource } from '../tool.ts';
import { maxMemories, type MemoryStore } from './memory-store.ts';
import { rank } from './rank.ts';
import { msg } from '../../../messages/index.ts';

const maxTextCharacters = 4_000;
const maxTags = 20;
const maxTagCharacters = 50;
const maxQueryCharacters = 1_000;
const defaultLimit = 10;
const maxLimit = 100;

const limit = {
  type: 'integer',
  minimum: 1,
  maximum: maxLimit,
  description: `How many. Default: ${defaultLimit}.`,
};

/** Dependencies of the memory tools. `nowMs` returns ms since 1970. */
export interface MemoryOptions {
  store: MemoryStore;
  enabled: () => boolean;
  nowMs: () => number;
}

/** Memories outlast a conversation. Experimental: listed only while the setting is on. */
export function memoryTools(options: MemoryOptions): ToolSource {
  const tools = [remember(options), search(options), list(options), forget(options)];
  return { list: () => (options.enabled() ? tools : []), possibleTools: tools };
}

function remember({ store, nowMs }: MemoryOptions): Tool {
  return {
    name: 'memory_remember',
    description:
      'Keeps a short text for later conversations, such as a wish or a fact about the person or the project.',
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 1, maxLength: maxTextCharacters },
        tags: {
          type: 'array',
          maxItems: maxTags,
          items: { type: 'string', minLength: 1, maxLength: maxTagCharacters },
        },
      },
      required: ['text'],
    },
    effect: 'write',
    async run(call) {
      const { text, tags = [] } = call.arguments as { text: string; tags?: string[] };
      if ((await store.count()) >= maxMemories) throw full();
      return jsonResult({ id: await store.add(text, tags, new Date(nowMs())) });
    },
  };
}

function full(): HostError {
  const message = msg('memory.full', { limit: maxMemories });
  return new HostError('conflict', 'memory_full', message);
}

function search({ store, nowMs }: MemoryOptions): Tool {
  return {
    name: 'memory_search',
    description:
      'Finds memories by words that they share with the query; newer ones count more. Best first.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: maxQueryCharacters },
        limit,
      },
      required: ['query'],
    },
    effect: 'read',
    async run(call) {
      const args = call.arguments as { query: string; limit?: number };
      const ranked = await rank(await store.newest(maxMemories), args.query, nowMs());
      return jsonResult({ memories: ranked.slice(0, args.limit ?? defaultLimit) });
    },
  };
}

function list({ store }: MemoryOptions): Tool {
  return {
    name: 'memory_list',
    description: 'Lists the memories, newest first.',
    inputSchema: { type: 'object', properties: { limit } },
    effect: 'read',
    async run(call) {
      const args = call.arguments as { limit?: number };
      return jsonResult({ memories: await store.newest(args.limit ?? defaultLimit) });
    },
  };
}

function forget({ store }: MemoryOptions): Tool {
  return {
    name: 'memory_forget',
    description: 'Removes a memory for good.',
    inputSchema: {
      type: 'object',
      properties: { id: { type: ['string', 'integer'], maxLength: 20 } },
      required: ['id'],
    },
    effect: 'write',
    async run(call) {
      const { id } = call.arguments as { id: string | number };
      return jsonResult({ forgotten: await store.remove(String(id)) });
    },
  };
}
