import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { api } from '../../service/contract/index.ts';
import { startTestHost } from '../../service/testing/test-host.ts';
import { useForFile } from '../../service/testing/use-for-file.ts';

const root = join(import.meta.dirname, '../..');
const program = join(root, 'dist/kit/bin/plugin-host-plugin.mjs');

/** Long enough for a slow and busy machine: a plugin's tests start a browser. */
const wholeSuiteMs = 300_000;

const host = await useForFile(startTestHost());

/** Runs the built kit, as an author does. */
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

interface Dependencies {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const dependenciesOf = async (path: string): Promise<Dependencies> =>
  JSON.parse(await readFile(join(root, path), 'utf8')) as Dependencies;

test('the kit finds nothing wrong with the samples, whose workers start in the sandbox', async () => {
  const { code, output } = await kit('validate', '.', '--json');
  const { plugins } = JSON.parse(output) as { plugins: { id: string; findings: object[] }[] };
  expect(plugins.map(({ id, findings }) => [id, findings])).toEqual([
    ['com.example.documents', []],
    ['com.example.table', []],
  ]);
  expect(code).toBe(0);
});

test('they name the packages that they use, as they are installed here', async () => {
  const own = await dependenciesOf('package.json');
  for (const [name, used] of [
    ['table', ['fflate', 'papaparse', 'saxes', 'sql.js']],
    ['documents', ['@cantoo/pdf-lib', '@xmldom/xmldom', 'fflate', 'unpdf']],
  ] as const) {
    const { dependencies, devDependencies } = await dependenciesOf(
      `plugins/samples/${name}/package.json`,
    );
    expect(Object.keys(dependencies)).toEqual(used);
    expect({ ...own.dependencies, ...own.devDependencies }).toMatchObject({
      ...dependencies,
      ...devDependencies,
    });
  }
});

test('the build packs them beside the plugins that come with the host, not among them', async () => {
  expect(await catalogIds('samples')).toEqual(['com.example.documents', 'com.example.table']);
  expect((await catalogIds('plugins')).filter((id) => !id.startsWith('host.'))).toEqual([]);
});

test('a host takes both without a warning, and their nodes offer what is in a file', async () => {
  for (const id of ['com.example.table', 'com.example.documents']) {
    const bytes = await readFile(join(root, `dist/samples/${id}-1.0.0.plugin`));
    const taken = await host.client.call(api.market.upload, { file: new Blob([bytes]) });
    expect(taken).toMatchObject({ id, enabled: true });
    expect(taken.warnings ?? []).toEqual([]);
  }
  const params = { id: 'com.example.table' };
  const file = new Blob(['city,sales\nBerlin,3\n']);
  const files = await host.client.call(api.files.upload, { params, file, fileName: 'a.csv' });
  const options = (input: string, values: object): Promise<object[]> =>
    host.client.call(api.workflows.nodeOptions, {
      params: { type: 'com.example.table.chart' },
      body: { input, values: { files, ...values } },
    });
  expect(await options('table', {})).toEqual([{ value: 'a', label: 'a', secondary: 'a.csv, 1' }]);
  expect(await options('y', { table: 'a' })).toEqual([
    { value: 'city', label: 'city', secondary: 'text' },
    { value: 'sales', label: 'sales', secondary: 'integer' },
  ]);
  const nodes = await host.client.call(api.workflows.nodes);
  expect(nodes.filter(({ type }) => type.startsWith('com.example.'))).toHaveLength(10);
});

test.each(['table', 'documents'])(
  'the tests of %s pass, with its worker in the sandbox and its page in Chromium',
  async (name) => {
    const { code, output } = await kit('test', name);
    expect(code, output).toBe(0);
    // The test runner also succeeds if it finds no tests.
    expect(output).toMatch(/\bpass [1-9]\d/);
  },
  wholeSuiteMs,
);
