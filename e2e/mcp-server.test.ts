import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { installSample } from '../service/testing/sample-plugin.ts';
import { builtEntry } from './built-host.ts';

let folder: string;
let client: Client | null = null;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'host-mcp-'));
});
afterEach(async () => {
  await client?.close();
  client = null;
  await rm(folder, { recursive: true, force: true });
});

type Answer = { action: 'accept'; content: { allow: boolean } } | { action: 'decline' };

/** The built host as an MCP server, with a plugin that may send; `answer` null: nobody can be asked. */
async function openHost(answer: (() => Answer) | null, mode: 'auto' | 'legacy') {
  const args = [builtEntry, '--mcp', '--port=0', '--setup=SQLITE', `--work-dir=${folder}`];
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args, stderr: 'pipe' },
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const made = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode },
      capabilities: answer === null ? {} : { elicitation: { form: {} } },
    },
  );
  const asked: string[] = [];
  if (answer !== null)
    made.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return answer();
    });
  client = made;
  await made.connect(transport, { timeout: 60_000 });
  const valueOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(said)?.[1] ?? '';
  await expect.poll(() => valueOf('HOST_TOKEN'), { timeout: 60_000 }).not.toBe('');
  const baseUrl = `http://127.0.0.1:${valueOf('HOST_PORT')}`;
  const host = createClient({ baseUrl, token: () => valueOf('HOST_TOKEN') });
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  const aiTools = [
    { name: 'say_text', description: 'Says.', method: 'echo', inputSchema, effect: 'read' },
    { name: 'send_text', description: 'Sends.', method: 'echo', inputSchema },
  ];
  await installSample({ client: host }, { manifest: { aiTools } });
  return { made, asked, host };
}

const call = (made: Client, name: string, given: Record<string, unknown> = { text: 'hello' }) =>
  made.callTool({ name, arguments: given }, { timeout: 60_000 });

describe.each(['auto', 'legacy'] as const)('the host as an MCP server (%s)', (mode) => {
  it('offers the tools of plugins, and asks the person of the client before what has to be asked', async () => {
    let allow = true;
    const { made, asked } = await openHost(() => ({ action: 'accept', content: { allow } }), mode);
    const { tools } = await made.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['say_text', 'send_text', 'count_words']));
    expect(names).not.toContain('execute_command');
    expect(tools.find(({ name }) => name === 'say_text')?.annotations?.readOnlyHint).toBe(true);
    expect(JSON.stringify((await call(made, 'say_text')).content)).toContain('hello');
    expect(asked).toEqual([]);
    expect(await call(made, 'send_text', { text: 5 })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('text must be string') as unknown }],
    });
    expect(asked).toEqual([]);
    const sent = await call(made, 'send_text');
    expect(sent.isError ?? false).toBe(false);
    expect(asked).toEqual([expect.stringContaining('send_text')]);
    allow = false;
    expect(await call(made, 'send_text')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('rejected') as unknown }],
    });
    expect(await call(made, 'nothing')).toMatchObject({ isError: true });
  });

  it('offers published workflows, whose steps run once the person of the client lets them', async () => {
    const { made, asked, host } = await openHost(
      () => ({ action: 'accept', content: { allow: true } }),
      mode,
    );
    const steps = [{ tool: 'send_text', arguments: { text: '{{inputs.text}} twice' } }];
    const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
    const { id } = await host.call(api.workflows.create, {
      body: { name: 'Sends', inputSchema, plan: { steps } },
    });
    const name = `run_workflow_${id}`;
    const names = async () => (await made.listTools()).tools.map((tool) => tool.name);
    expect(await names()).not.toContain(name);
    const params = { workflowId: id };
    await host.call(api.workflows.publish, { params, body: { published: true } });
    expect(await names()).toContain(name);
    const ran = await call(made, name);
    expect(JSON.stringify(ran.content)).toContain('hello twice');
    expect(asked).toEqual([expect.stringContaining(name)]);
  });

  it('refuses what has to be asked where nobody can be asked', async () => {
    const { made } = await openHost(null, mode);
    expect(JSON.stringify((await call(made, 'say_text')).content)).toContain('hello');
    const refused = await call(made, 'send_text').then(
      ({ isError }) => isError === true,
      () => true,
    );
    expect(refused).toBe(true);
  });
});
