import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const program = join(root, 'dist/kit/bin/plugin-host-plugin.mjs');

/** The built kit, as an author has it. */
async function kit(...args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [program, ...args], { cwd: import.meta.dirname });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
}

const catalogIds = async (folder: string): Promise<string[]> => {
  const text = await readFile(join(root, 'dist', folder, 'catalog.json'), 'utf8');
  return (JSON.parse(text) as { plugins: { id: string }[] }).plugins.map(({ id }) => id);
};

test('the kit finds nothing wrong with the samples, whose workers start in the sandbox', async () => {
  const { code, output } = await kit('validate', '.', '--json');
  const { plugins } = JSON.parse(output) as { plugins: { id: string; findings: object[] }[] };
  expect(plugins.map(({ id, findings }) => [id, findings])).toEqual([
    ['com.example.documents', []],
    ['com.example.table', []],
  ]);
  expect(code).toBe(0);
});

test('the build packs them beside the plugins that come with the host, not among them', async () => {
  expect(await catalogIds('samples')).toEqual(['com.example.documents', 'com.example.table']);
  expect((await catalogIds('plugins')).filter((id) => !id.startsWith('host.'))).toEqual([]);
});

test.each(['table', 'documents'])(
  'the tests of %s pass, with its worker in the sandbox and its page in Chromium',
  async (name) => {
    const { code, output } = await kit('test', name);
    expect(code, output).toBe(0);
    // A test runner that found no tests would be content, too.
    expect(output).toMatch(/\bpass [1-9]\d/);
  },
);
