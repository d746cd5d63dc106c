import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenTools, openTools } from '../../testing/open-tools.ts';
import { samplePackage } from '../../testing/sample-plugin.ts';
import { msg } from '../../messages/index.ts';
import { failure } from './tool.ts';

const toolFor = (method: string, more: object = {}) => ({
  name: `do_${method}`,
  description: `Does ${method}.`,
  method,
  ...more,
});

describe('the tools of plugins', () => {
  let tools: OpenTools;
  beforeAll(async () => {
    tools = await openTools();
    const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
    const aiTools = [
      toolFor('echo', { inputSchema, effect: 'read' }),
      ...['fail', 'hang', 'progress', 'exit', 'place'].map((method) => toolFor(method)),
    ];
    await tools.install(await samplePackage({ manifest: { aiTools } }));
  });
  afterAll(() => tools.close());

  it('run in the worker of the plugin, with the effect of its manifest [TOOL-20]', async () => {
    const echo = await tools.catalog.find('do_echo');
    expect(echo).toMatchObject({
      effect: 'read',
      pluginId: 'acme.demo',
      description: 'Does echo.',
    });
    expect((await tools.catalog.find('do_fail'))?.effect).toBe('external');
    expect(await tools.json('do_echo', '{"text":"hello"}')).toEqual({ text: 'hello' });
    expect((await tools.call('do_echo', { text: 5 })).output).toMatch(/text must be text/);
  });

  it('return the error of the worker', async () => {
    expect(await tools.call('do_fail', {})).toEqual({ success: false, output: 'no such word' });
    const { success, output } = await tools.call('do_exit', { code: 7 });
    expect(success).toBe(false);
    expect(output).toMatch(/ended with exit code 7/);
  });

  it('report their progress', async () => {
    const reported: unknown[] = [];
    const onProgress = (text: string, percent?: number): unknown => reported.push([text, percent]);
    expect((await tools.call('do_progress', {}, { onProgress })).output).toBe('done');
    expect(reported).toEqual([['40 % half', 40]]);
  });

  it('may return images like an MCP server; anything else is text', async () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'aGVsbG8=' };
    const images = [{ mimeType: 'image/png', data: 'aGVsbG8=' }];
    const textContent = { type: 'text', text: 'A picture.' };
    expect(await tools.call('do_echo', { content: [textContent, image] })).toEqual({
      success: true,
      output: 'A picture.',
      images,
    });
    expect(await tools.call('do_echo', { content: [image] })).toEqual({
      success: true,
      output: '[image, image/png]',
      images,
    });
    const others = [
      { content: [textContent] },
      { content: [{ ...image, mimeType: 'image/svg+xml' }] },
      { content: [{ ...image, data: 'no base64!' }] },
      { content: 'image' },
    ];
    for (const other of others) expect(await tools.json('do_echo', other)).toEqual(other);
  });

  it('are cancelled in the worker, even before it has started', async () => {
    for (const wait of [true, false]) {
      const cancel = new AbortController();
      // Between the call and the start of its worker.
      if (!wait) setImmediate(() => cancel.abort());
      const calling = tools.call('do_hang', {}, { signal: cancel.signal });
      if (wait) {
        const { worker } = tools.plugins.get('acme.demo');
        await expect.poll(() => worker.state).toBe('running');
        cancel.abort();
      }
      expect(await calling).toEqual(failure(msg('tools.cancelled')));
    }
  });

  it('disappear when the plugin is disabled, and return when it is enabled', async () => {
    const has = async (): Promise<boolean> => (await tools.catalog.find('do_echo')) !== undefined;
    expect(await has()).toBe(true);
    await tools.plugins.setEnabled('acme.demo', false);
    expect(await has()).toBe(false);
    await tools.plugins.setEnabled('acme.demo', true);
    expect(await has()).toBe(true);
    await tools.plugins.uninstall('acme.demo', false);
    expect(await has()).toBe(false);
  });
});
