import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { api } from '../../contract/index.ts';
import {
  addUntil,
  callTool,
  catalogNames,
  removeServer,
  showServer,
  textOf,
} from '../../testing/mcp/mcp-host.ts';
import { nodeServer } from '../../testing/mcp/real-servers.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';

const script = join(import.meta.dirname, '..', '..', 'testing', 'mcp', 'listing-server.mjs');

const host = await useForFile(startTestHost());

const inputSchema = { type: 'object' };
const logsOf = async (id: string): Promise<string[]> =>
  (await host.client.call(api.mcp.logs, { params: { id } })).map(({ message }) => message);

describe.each(['legacy', 'modern'])('a server of the %s era', (era) => {
  const add = (lists: object, name = 'listing') =>
    addUntil(host, nodeServer(script, [JSON.stringify(lists), era], { name }));

  it('is used with all of its usable tools, and the others are reported', async () => {
    const view = await add({
      tools: [
        { name: 'good', description: 'Is good.', inputSchema },
        { name: 5, inputSchema },
        'nonsense',
        null,
        { name: 'text-schema', inputSchema: 'none' },
        { name: 'other-schema', inputSchema: { type: 'string' } },
        { name: 'list\u202eed', inputSchema: { type: 'object', required: 'all' } },
        { name: 'last', inputSchema },
      ],
    });
    expect(view.tools.map(({ name }) => name)).toEqual(['good', 'last']);
    expect(view.error).toMatch(/^6 tools are left out/);
    expect(view.error).toMatch(
      /number 2: name \(.*number 3: it is not an object.*“text-schema”: inputSchema/,
    );
    expect(view.error).not.toContain('\u202e');
    expect(await logsOf(view.id)).toContain(view.error);
    expect(await catalogNames(host)).toContain('mcp__listing__good');
    expect(textOf(await callTool(host, view.id, 'last'))).toBe('last');
    await removeServer(host, view.id);
  });

  it('has small defects in its tools repaired', async () => {
    const view = await add({
      tools: [
        { name: 'bare' },
        { name: 'empty', inputSchema: {} },
        { name: 'null', inputSchema: null, description: null, title: 7 },
        { name: 'dialect', inputSchema: { ...inputSchema, $schema: 7 } },
        { name: 'hints', inputSchema, annotations: { readOnlyHint: 'yes' } },
        { name: 'icons', inputSchema, icons: 'no', description: 'Is kept.' },
        { name: 'output', inputSchema, outputSchema: 3 },
        { name: 'reads', inputSchema, annotations: { readOnlyHint: true } },
      ],
    });
    expect(view.error).toBeUndefined();
    expect(view.tools.map(({ name, effect }) => `${name} ${effect}`)).toEqual([
      ...['bare external', 'empty external', 'null external', 'dialect external'],
      ...['hints external', 'icons external', 'output external', 'reads read'],
    ]);
    expect(view.tools[5]?.description).toBe('Is kept.');
    const listed = await host.client.call(api.tools.list);
    for (const name of ['bare', 'empty', 'null', 'dialect'])
      expect(listed.find((tool) => tool.name === `mcp__listing__${name}`)).toMatchObject({
        inputSchema,
      });
    for (const { name } of view.tools)
      expect(textOf(await callTool(host, view.id, name))).toBe(name);
    await removeServer(host, view.id);
  });

  it('has its valid prompts and resources listed next to invalid ones', async () => {
    const { id } = await add({
      prompts: [{ name: 'good' }, { description: 'Has no name.' }, { name: 'bad', arguments: 'x' }],
      resources: [
        { uri: 'note://one', name: 'one', size: 'large' },
        { uri: 'note://two' },
        { name: 'three' },
      ],
    });
    const params = { id };
    expect(await host.client.call(api.mcp.prompts, { params })).toEqual([{ name: 'good' }]);
    expect(await host.client.call(api.mcp.resources, { params })).toEqual([
      { uri: 'note://one', name: 'one' },
    ]);
    expect((await showServer(host, id)).error).toBeUndefined();
    expect((await logsOf(id)).join('\n')).toMatch(/2 prompts are left out.*“bad”: arguments/);
    expect((await logsOf(id)).join('\n')).toMatch(/2 resources are left out.*“note:\/\/two”: name/);
    await removeServer(host, id);
  });
});
