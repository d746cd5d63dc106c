import { expect, vi } from 'vitest';
import { api, type McpDefinition, type McpServerView } from '../../contract/index.ts';
import type { TestHost } from '../test-host.ts';

type Reply = Awaited<ReturnType<typeof callTool>>;

/** Calls `POST …/call` and returns its result. */
export function callTool(
  host: TestHost,
  id: string,
  tool: string,
  args: Record<string, unknown> = {},
) {
  return host.client.call(api.mcp.call, { params: { id }, body: { tool, arguments: args } });
}

/** Joins the text parts of a result by line breaks. */
export const textOf = ({ content }: Pick<Reply, 'content'>): string =>
  content.map((block) => String(block['text'])).join('\n');

export const addServer = (host: TestHost, definition: McpDefinition): Promise<McpServerView> =>
  host.client.call(api.mcp.create, { body: definition });

/** Returns the current state of a server. */
export async function showServer(host: TestHost, id: string): Promise<McpServerView> {
  const found = (await host.client.call(api.mcp.list)).find((one) => one.id === id);
  if (!found) throw new Error(`There is no server ${id}.`);
  return found;
}

/** Adds a server and waits until it is in this state. */
export async function addUntil(
  host: TestHost,
  definition: McpDefinition,
  state: McpServerView['state'] = 'CONNECTED',
): Promise<McpServerView> {
  const { id } = await addServer(host, definition);
  return untilState(host, id, state);
}

const limits = { timeout: 30_000, interval: 20 };

/** Works in hooks too, where `expect.poll` is not available. */
export function untilState(
  host: TestHost,
  id: string,
  state: McpServerView['state'],
): Promise<McpServerView> {
  return vi.waitFor(async () => {
    const view = await showServer(host, id);
    expect(view.state, view.error).toBe(state);
    return view;
  }, limits);
}

export const removeServer = (host: TestHost, id: string): Promise<unknown> =>
  host.client.call(api.mcp.remove, { params: { id } });

/** Returns the names of the tools that models currently see. */
export async function catalogNames(host: TestHost): Promise<string[]> {
  return (await host.client.call(api.tools.list)).map(({ name }) => name);
}
