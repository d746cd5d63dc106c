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

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/**
 * Starts the built host as an MCP server with a plugin that can send. With `answer` null the client
 * supports no questions. `onToolsChanged` is called on `list_changed`.
 */
async function openHost(
  answer: (() => Answer) | null,
  mode: 'auto' | 'legacy',
  onToolsChanged: () => void = () => undefined,
) {
  const args = [builtEntry, '--mcp', '--port=0', '--setup=SQLITE', `--work-dir=${folder}`];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const made = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode },
      capabilities: answer === null ? {} : { elicitation: { form: {} } },
      listChanged: { tools: { autoRefresh: false, onChanged: onToolsChanged } },
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
  const valueOf = (name: string): string =>
    new RegExp(`^${name}=(.*)$`, 'm').exec(stderr)?.[1] ?? '';
  await expect.poll(() => valueOf('HOST_TOKEN'), { timeout: 60_000 }).not.toBe('');
  const baseUrl = `http://127.0.0.1:${valueOf('HOST_PORT')}`;
  const host = createClient({ baseUrl, token: () => valueOf('HOST_TOKEN') });
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  const aiTools = [
    { name: 'say_text', description: 'Says.', method: 'echo', inputSchema, effect: 'read' },
    { name: 'send_text', description: 'Sends.', method: 'echo', inputSchema },
    { name: 'work_long', description: 'Works.', method: 'progress', effect: 'read' },
  ];
  const { id } = await installSample({ client: host }, { manifest: { aiTools } });
  return { made, asked, host, pluginId: id };
}

const call = (
  made: Client,
  name: string,
  toolArguments: Record<string, unknown> = { text: 'hello' },
) => made.callTool({ name, arguments: toolArguments }, { timeout: 60_000 });

describe.each(['auto', 'legacy'] as const)('the host as an MCP server (%s)', (mode) => {
  it('offers the tools of plugins, and asks the person of the client for approval', async () => {
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
      content: [{ text: expect.stringContaining('text must be text') as unknown }],
    });
    expect(asked).toEqual([]);
    const sent = await call(made, 'send_text');
    expect(sent.isError ?? false).toBe(false);
    expect(asked).toEqual([expect.stringMatching(/^send_text wants to run\. .*\n\ntext: hello$/)]);
    allow = false;
    expect(await call(made, 'send_text')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('rejected') as unknown }],
    });
    expect(await call(made, 'nothing')).toMatchObject({ isError: true });
  });

  it('offers published workflows, whose steps run once the person of the client approves them', async () => {
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

  it('tells a client without elicitation that approval is needed, and which rule allows the call', async () => {
    const { made, host } = await openHost(null, mode);
    expect(JSON.stringify((await call(made, 'say_text')).content)).toContain('hello');
    const refused = await call(made, 'send_text');
    expect(refused.isError).toBe(true);
    const { text } = refused.content[0] as { text: string };
    expect(text).toMatch(/^send_text needs approval, and this MCP client cannot ask for it/);
    const rule = text.split('\n').at(-1) ?? '';
    expect(rule).toBe('Tool(send_text)');
    await host.call(api.settings.put, { body: { permissionRules: { allow: rule } } });
    expect(JSON.stringify(await call(made, 'send_text'))).toContain('hello');
  });

  it('forwards images and progress of a tool', async () => {
    const { made } = await openHost(null, mode);
    const image = { type: 'image', mimeType: 'image/png', data: onePixel };
    const result = { content: [{ type: 'text', text: 'A pixel' }, image] };
    expect((await call(made, 'say_text', result)).content).toEqual([
      { type: 'text', text: 'A pixel' },
      image,
    ]);
    // Raw messages: the client ignores a progress report that arrives together with the answer.
    const received: unknown[] = [];
    const { transport } = made;
    const receive = transport?.onmessage;
    if (transport)
      transport.onmessage = (message, extra) => {
        received.push('method' in message ? message.params : 'the answer');
        receive?.(message, extra);
      };
    const options = { timeout: 60_000, onprogress: () => undefined };
    await made.callTool({ name: 'work_long', arguments: {} }, options);
    const half = { progress: 40, total: 100, message: '40 % half' };
    expect(received).toEqual([expect.objectContaining(half), 'the answer']);
  });

  it('announces that its tools changed after a plugin is disabled or a workflow published', async () => {
    let changes = 0;
    const { made, host, pluginId } = await openHost(null, mode, () => (changes += 1));
    const names = async () => (await made.listTools()).tools.map(({ name }) => name);
    expect(await names()).toContain('say_text');
    changes = 0;
    await host.call(api.market.setEnabled, { params: { id: pluginId }, body: { enabled: false } });
    await expect.poll(() => changes).toBe(1);
    expect(await names()).not.toContain('say_text');
    const plan = { steps: [{ tool: 'count_words', arguments: { text: 'one two' } }] };
    const { id } = await host.call(api.workflows.create, { body: { name: 'Counts', plan } });
    await host.call(api.workflows.publish, {
      params: { workflowId: id },
      body: { published: true },
    });
    await expect.poll(() => changes).toBe(2);
    expect(await names()).toContain(`run_workflow_${id}`);
  });
});
