import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createClient } from '../service/client/index.ts';
import { startChatHost } from '../service/testing/chat-host.ts';
import { conformancePlugin } from '../service/testing/mcp/conformance-plugin.ts';
import { runSuite, suiteRuns } from '../service/testing/mcp/conformance-suite.ts';
import { serveStdioServer } from '../service/testing/mcp/stdio-front.ts';
import { upload } from '../service/testing/sample-plugin.ts';
import { builtEntry } from './built-host.ts';

/** All client scenarios run in parallel, which takes a while on a busy machine. */
const limitMs = 300_000;

let ends: (() => Promise<unknown>)[];
beforeEach(() => {
  ends = [];
});
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
});

/**
 * Returns the scenarios that docs/mcp.md lists under a heading, with the reasons for their failure.
 */
async function listed(heading: string): Promise<string[]> {
  const page = await readFile(join(import.meta.dirname, '..', 'docs', 'mcp.md'), 'utf8');
  const section = page.split(`\n#### ${heading}\n`)[1]?.split(/\n#+ /)[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  const withoutReason = rows.filter((row) => !/\w{2,}/.test(row.split(' | ')[1] ?? ''));
  expect(withoutReason).toEqual([]);
  return rows.flatMap((row) =>
    [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ''),
  );
}

/** Runs the suite for every protocol revision that it supports. */
async function runAll(args: string[], env: Record<string, string> = {}) {
  const failures = new Set<string>();
  let output = '';
  for (const revision of await suiteRuns()) {
    const outcome = await runSuite([...args, ...revision], env);
    expect(outcome.scenarios.length, outcome.output).toBeGreaterThan(20);
    for (const scenario of Object.keys(outcome.failures)) failures.add(scenario);
    output += outcome.output;
  }
  return { failures: [...failures].toSorted(), output };
}

it(
  'the official suite finds of the client what docs/mcp.md says, and nothing else',
  async () => {
    const host = await startChatHost();
    ends.push(() => host.close());
    // A model that calls the tool named in the message.
    host.model.script(({ messages, tools = [] }, index) => {
      const request = JSON.stringify(messages.at(-1)?.content);
      const tool = tools.find(({ function: { name } }) => request.includes(name));
      return tool && index === 0
        ? { toolCalls: [{ name: tool.function.name, arguments: '{}' }] }
        : { text: ['Done.'] };
    });
    const script = join(import.meta.dirname, '../service/testing/mcp/conformance-client.mjs');
    const env = { HOST: host.baseUrl, TOKEN: host.token };
    const args = [
      ...['client', '--suite', 'all', '--timeout', '100000'],
      ...['--command', `${process.execPath} ${script}`],
    ];
    const { failures, output } = await runAll(args, env);
    expect(failures, output).toEqual((await listed('The client')).toSorted());
  },
  limitMs,
);

it.each(['legacy', 'auto'] as const)(
  'the official suite finds of --mcp what docs/mcp.md says, and nothing else (%s)',
  async (mode) => {
    const folder = await mkdtemp(join(tmpdir(), 'host-mcp-'));
    ends.push(() => rm(folder, { recursive: true, force: true }));
    const flags = [builtEntry, '--mcp', '--port=0', '--setup=SQLITE', `--work-dir=${folder}`];
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: flags,
      stderr: 'pipe',
    });
    let printed = '';
    transport.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const client = new Client({ name: 'front', version: '1' }, { versionNegotiation: { mode } });
    ends.push(() => client.close());
    await client.connect(transport, { timeout: 60_000 });
    const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(printed)?.[1] ?? '';
    await expect.poll(() => valueOf('HOST_TOKEN'), { timeout: 60_000 }).not.toBe('');
    const baseUrl = `http://127.0.0.1:${valueOf('HOST_PORT')}`;
    const host = createClient({ baseUrl, token: () => valueOf('HOST_TOKEN') });
    await upload({ client: host }, await conformancePlugin());
    const front = await serveStdioServer(client);
    ends.push(() => front.close());
    const args = ['server', '--suite', 'all', '--url', `${front.base}/mcp`];
    const { failures, output } = await runAll(args);
    expect(failures, output).toEqual((await listed('The server')).toSorted());
  },
);
