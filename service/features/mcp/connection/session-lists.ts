import type { Client, Prompt, Resource, Tool } from '@modelcontextprotocol/client';
import { pages } from './pages.ts';
import type { SkippedItems, ListMethod } from './tidy-items.ts';
import { type Message, msg } from '../../../messages/index.ts';

const listLimitMs = 30_000;
const maxTools = 2_000;
const maxListed = 5_000;
const maxReasons = 5;
const nothing: SkippedItems = { count: 0, reasons: [] };

/** Tools, prompts and resources of a server. */
export class SessionLists {
  tools: Tool[] = [];
  /** True if the server has more tools than the limit. */
  hasMoreTools = false;
  /** Tools that were left out because they are unusable. */
  private bad: SkippedItems = nothing;
  private readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  /** Returns the number of omitted tools with the reasons; null if none are omitted. */
  get missing(): Message | null {
    const { bad, hasMoreTools } = this;
    if (bad.count > 0) return skippedText('tools/list', bad);
    return hasMoreTools ? msg('mcp.tooManyTools') : null;
  }

  /** Called when items were removed from an answer. */
  recordSkipped(method: ListMethod, { count, reasons }: SkippedItems): void {
    if (method !== 'tools/list') return;
    this.bad = { count: this.bad.count + count, reasons: [...this.bad.reasons, ...reasons] };
  }

  async listTools(signal?: AbortSignal): Promise<void> {
    if (!this.client.getServerCapabilities()?.tools) return;
    this.bad = nothing;
    const { found, hasMore } = await pages(maxTools, async (cursor) => {
      const request = { method: 'tools/list', params: cursor } as const;
      const { tools, nextCursor } = await this.client.request(request, limits(signal));
      return { items: tools, nextCursor };
    });
    this.tools = found;
    this.hasMoreTools = hasMore;
  }

  async listPrompts(signal: AbortSignal): Promise<Prompt[]> {
    if (!this.client.getServerCapabilities()?.prompts) return [];
    const { found } = await pages(maxListed, async (cursor) => {
      const request = { method: 'prompts/list', params: cursor } as const;
      const { prompts, nextCursor } = await this.client.request(request, limits(signal));
      return { items: prompts, nextCursor };
    });
    return found;
  }

  async listResources(signal: AbortSignal): Promise<Resource[]> {
    if (!this.client.getServerCapabilities()?.resources) return [];
    const { found } = await pages(maxListed, async (cursor) => {
      const request = { method: 'resources/list', params: cursor } as const;
      const { resources, nextCursor } = await this.client.request(request, limits(signal));
      return { items: resources, nextCursor };
    });
    return found;
  }
}

const limits = (signal: AbortSignal | undefined) => ({
  timeout: listLimitMs,
  ...(signal ? { signal } : {}),
});

/** Returns the number of omitted items of a list with the reasons. */
export function skippedText(method: ListMethod, { count, reasons: all }: SkippedItems): Message {
  const reasons = all.slice(0, maxReasons);
  const more = count - reasons.length;
  switch (method) {
    case 'tools/list':
      return msg('mcp.toolsLeftOut', { count, reasons, more });
    case 'prompts/list':
      return msg('mcp.promptsLeftOut', { count, reasons, more });
    case 'resources/list':
      return msg('mcp.resourcesLeftOut', { count, reasons, more });
  }
}
