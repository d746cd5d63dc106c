import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { startTestHost } from '../../service/testing/test-host.ts';
import { useFolder, useForFile } from '../../service/testing/use-for-file.ts';
import { runProgram } from '../cli/program.ts';
import { writeZip } from '../zip.ts';

const folder = await useFolder('foreign-');
const host = await useForFile(startTestHost());
let count = 0;
let source: string;
let out: string;
beforeEach(() => {
  count += 1;
  source = join(folder, `source-${count}`);
  out = join(folder, `out-${count}`);
});

async function write(path: string, content: string | object): Promise<void> {
  const file = join(source, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
}

async function pack(...args: string[]) {
  const lines: string[] = [];
  const add = (line: string): void => void lines.push(line);
  const code = await runProgram(['pack', ...args, `--out=${out}`], {
    print: add,
    printStatus: add,
  });
  return { code, lines, output: lines.join('\n') };
}

interface Installed {
  id: string;
  name: string;
  contents?: Record<string, string[]>;
  userConfig?: Record<string, unknown>;
}

async function upload(file: string): Promise<Installed> {
  const form = new FormData();
  form.set('file', new Blob([await readFile(file)]), 'packed.plugin');
  const url = `${host.baseUrl}/api/plugin-market/upload`;
  const headers = { 'X-Host-Token': host.token };
  const answer = await fetch(url, { method: 'POST', headers, body: form });
  const body = (await answer.json()) as Installed;
  expect(answer.status, JSON.stringify(body)).toBe(200);
  return body;
}

const server = `
const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const results = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'greeter', version: require('greeting').version },
    },
    'tools/list': { tools: [{ name: 'greet', inputSchema: { type: 'object' } }] },
  };
  if (id !== undefined)
    console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
});
`;

/** Packs a bundle as `mcpb pack` does, with the packages of its server. */
async function bundleOf(more: object = {}): Promise<string> {
  const manifest = {
    manifest_version: '0.3',
    name: 'greeter',
    display_name: 'Greeter <b>',
    version: '1.2',
    description: 'Greets.',
    author: { name: 'Acme' },
    server: {
      type: 'node',
      entry_point: 'server/index.cjs',
      mcp_config: { command: 'node', args: ['${__dirname}/server/index.cjs'], env: { A: 'b' } },
    },
    user_config: {
      folder: { type: 'directory', title: 'Folder', multiple: true },
      key: { type: 'string', title: 'Key', sensitive: true },
      odd: { type: 'colour', title: 'Colour' },
    },
    ...more,
  };
  const entries = Object.entries({
    'manifest.json': JSON.stringify(manifest),
    'server/index.cjs': server,
    'node_modules/greeting/package.json': '{"name":"greeting","main":"i.js"}',
    'node_modules/greeting/i.js': "exports.version = '7.0.0';",
  }).map(([path, content]) => ({ path, bytes: Buffer.from(content) }));
  const file = join(folder, `greeter-${count}.mcpb`);
  await writeZip(file, entries);
  return file;
}

describe('packing an MCP bundle', () => {
  test('reports what is converted and what is not, and creates a valid package', async () => {
    const { code, lines, output } = await pack(await bundleOf({ prompts: [] }));
    expect(code).toBe(0);
    expect(lines[0]).toBe(join(out, 'mcpb.greeter-1.2.0.plugin'));
    expect(output).toContain('carried over: The MCP server greeter (node)');
    expect(output).toContain('not carried over: user_config.odd');
    expect(output).toContain('not carried over: user_config.folder: several values');
    expect(output).toContain('not carried over: prompts');
    const installed = await upload(lines[0] ?? '');
    expect(installed).toMatchObject({
      id: 'mcpb.greeter',
      name: 'Greeter <b>',
      contents: { mcpServers: ['greeter'] },
      userConfig: { key: { sensitive: true }, folder: { type: 'directory' } },
    });
    const page = await host.ask('/plugin-runtime/mcpb.greeter/index.html');
    expect(page.text).toContain('<li>greeter</li>');
    expect(page.text).not.toContain('<b>');
  });

  test('its server runs as an MCP server of the plugin once it is trusted', async () => {
    await upload((await pack(await bundleOf({ name: 'runner' }))).lines[0] ?? '');
    await host.ask('/api/plugin-hooks/mcpb.runner/trust', { method: 'POST' });
    await expect
      .poll(async () => (await host.ask('/api/mcp/servers')).text)
      .toMatch(/"id":"plugin:mcpb\.runner:runner".*"version":"7\.0\.0".*"state":"CONNECTED"/);
  });

  test('the same bundle gives the same bytes', async () => {
    const file = await bundleOf();
    const first = await readFile((await pack(file)).lines[0] ?? '');
    expect(await readFile((await pack(file)).lines[0] ?? '')).toEqual(first);
  });
});

describe('packing a plugin of Claude', () => {
  test('converts skills, commands, hooks and servers, and reports the rest', async () => {
    await write('.claude-plugin/plugin.json', { name: 'Helper', version: '2.0.0', lspServers: {} });
    await write('skills/review/SKILL.md', '---\nname: review\ndescription: Reviews\n---\nRead.');
    await write('commands/go.md', 'Go.');
    await write('.mcp.json', { mcpServers: { files: { command: 'files' } } });
    await symlink('/etc/hosts', join(source, 'hosts'));
    const { code, lines, output } = await pack(source);
    expect(code).toBe(0);
    expect(output).toContain('carried over: Skills: review');
    expect(output).toContain('not carried over: Language servers');
    expect(output).toContain('not carried over: hosts: a link');
    expect(await upload(lines[0] ?? '')).toMatchObject({
      id: 'claude-plugin.helper',
      contents: { skills: ['review'], commands: ['go'], mcpServers: ['files'] },
    });
  });

  test('a folder without a plugin of any kind is reported', async () => {
    await mkdir(source);
    const { code, output } = await pack(source);
    expect(code).toBe(2);
    expect(output).toContain('has no manifest.json');
  });
});
