import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runBuiltKit } from '../../plugin-kit/testing/built-kit.ts';
import { api } from '../../service/contract/index.ts';
import { upload } from '../../service/testing/sample-plugin.ts';
import { startTestHost } from '../../service/testing/test-host.ts';
import { useFolder, useForFile } from '../../service/testing/use-for-file.ts';

const example = (name: string): string => join(import.meta.dirname, name);
const folder = await useFolder('example-packages-');

describe.each(['tidy-lines', 'csv-chart', 'notes'])('the example %s', (name) => {
  it('passes its own tests in the sandbox and in Chromium', async () => {
    const outcome = await runBuiltKit('test', example(name));
    expect(outcome, outcome.stdout).toMatchObject({ code: 0 });
    expect(outcome.stdout).toMatch(/pass [23]\n/);
  });
});

it('nothing is found in the examples', async () => {
  const names = ['tidy-lines', 'csv-chart', 'notes', 'checksums'];
  const { code, stdout } = await runBuiltKit('validate', ...names.map(example), '--json');
  const { plugins } = JSON.parse(stdout) as { plugins: { id: string; findings: unknown[] }[] };
  expect(plugins.map(({ id, findings }) => [id, findings])).toEqual(
    names.map((name) => [`com.example.${name}`, []]),
  );
  expect(code).toBe(0);
});

describe('the example unit-converter', () => {
  it('becomes a plugin whose MCP server answers', async () => {
    const { stdout } = await runBuiltKit('pack', example('unit-converter'), `--out=${folder}`);
    expect(stdout).toContain('carried over: The MCP server unit-converter');
    const host = await useForFile(startTestHost());
    const { id } = await upload(host, await readFile(stdout.split('\n')[0] ?? ''));
    await host.client.call(api.contributions.trust, { params: { id } });
    const server = { id: `plugin:${id}:unit-converter` };
    const states = async (): Promise<unknown[]> =>
      (await host.client.call(api.mcp.list)).map((one) => [one.id, one.state]);
    await expect.poll(states).toContainEqual([server.id, 'CONNECTED']);
    const ask = { tool: 'convert', arguments: { amount: 26.2, from: 'mile', to: 'km' } };
    expect(await host.client.call(api.mcp.call, { params: server, body: ask })).toEqual({
      content: [{ type: 'text', text: '26.2 mile = 42.1648 km' }],
    });
    ask.arguments.to = 'kg';
    expect(await host.client.call(api.mcp.call, { params: server, body: ask })).toEqual({
      content: [{ type: 'text', text: 'mile is a length and kg a mass.' }],
      isError: true,
    });
  });
});
