import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { coerce, gte } from 'semver';
import { beforeAll, describe, expect, test } from 'vitest';
import { hostVersion } from '../service/contract/index.ts';
import { useFolder } from '../service/testing/use-for-file.ts';

const folder = await useFolder('plugin-kit-');
const tarball = join(import.meta.dirname, '..', 'dist', `plugin-host-kit-${hostVersion}.tgz`);
const limitMs = 110_000;

interface Outcome {
  code: number | string | null | undefined;
  stdout: string;
  stderr: string;
}

/** Finds a Node version that the kit supports but the project does not. */
function olderNode(): string | null {
  const path = '/usr/bin/node';
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  const version = stdout === null ? null : coerce(stdout);
  return version !== null && version.major < 24 && gte(version, '20.19.0') ? path : null;
}

/** Built-in functions newer than Node 20. Text alone cannot identify methods of iterators and sets. */
const newerNames =
  /\b(?:Map\.groupBy|Object\.groupBy|Promise\.(?:try|withResolvers)|Array\.fromAsync|RegExp\.escape|Iterator\.(?:from|concat)|Error\.isError|Math\.sumPrecise|Uint8Array\.from(?:Base64|Hex)|Atomics\.pause)\b/g;

/** Makes the worker import an npm package, which `pack` bundles. */
async function importPackage(plugin: string, worker: string): Promise<void> {
  const directory = join(folder, plugin, 'node_modules', 'some-words');
  await mkdir(directory, { recursive: true });
  const about = { name: 'some-words', version: '1.0.0', license: 'MIT', main: 'index.js' };
  await writeFile(join(directory, 'package.json'), JSON.stringify({ ...about, type: 'module' }));
  await writeFile(join(directory, 'index.js'), "export const some = 'words';\n");
  const file = join(folder, plugin, 'backend', worker);
  const text = await readFile(file, 'utf8');
  await writeFile(file, `import { some } from 'some-words';\nconsole.error(some);\n${text}`);
}

/** Runs a program without any variables of this repository. */
function run(program: string, args: string[]): Promise<Outcome> {
  const options = {
    cwd: folder,
    timeout: limitMs,
    env: { PATH: process.env['PATH'], HOME: folder },
  };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

const kit = (...args: string[]): Promise<Outcome> =>
  run(process.execPath, ['node_modules/plugin-host-kit/bin/plugin-host-plugin.mjs', ...args]);

const install = (): Promise<Outcome> =>
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball]);

beforeAll(async () => {
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  expect(await install()).toMatchObject({ code: 0 });
});

describe('the kit, installed from its tarball without the network', () => {
  test('leads in three commands to a sandboxed plugin that answers a call', async () => {
    await rm(join(folder, 'node_modules'), { recursive: true });
    const commands = [
      () => install(),
      () => kit('init', 'my-words'),
      () => kit('test', 'my-words'),
    ];
    expect(commands).toHaveLength(3);
    for (const command of commands) expect(await command()).toMatchObject({ code: 0 });
  });

  test.each(['node', 'typescript', 'java'])(
    'makes a plugin of %s that has no findings, passes its tests and is packed',
    async (runtime) => {
      expect(await kit('init', `a-${runtime}`, `--runtime=${runtime}`)).toMatchObject({ code: 0 });
      const validated = await kit('validate', `a-${runtime}`, '--json');
      expect(JSON.parse(validated.stdout)).toEqual({
        plugins: [
          {
            directory: join(folder, `a-${runtime}`),
            id: `com.example.a-${runtime}`,
            findings: [],
          },
        ],
      });
      expect(validated.code).toBe(0);
      const tested = await kit('test', `a-${runtime}`);
      expect(tested.stdout).toMatch(/pass 3\b/);
      expect(tested.code).toBe(0);
      const packed = await kit('pack', `a-${runtime}`, '--out=packed');
      const file = join(folder, 'packed', `com.example.a-${runtime}-0.1.0.plugin`);
      expect(packed.stdout).toBe(`${file}\n`);
      const sha256 = createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
      expect(await readFile(`${file}.sha256`, 'utf8')).toContain(sha256);
    },
  );

  test.runIf(olderNode() !== null).each(['node', 'typescript'])(
    'works on the older Node of the machine as well, with a plugin of %s',
    async (runtime) => {
      const node = olderNode() ?? '';
      const program = 'node_modules/plugin-host-kit/bin/plugin-host-plugin.mjs';
      const name = `older-${runtime}`;
      const commands = [
        ['validate', name],
        ['test', name],
        ['pack', name],
      ];
      expect(await run(node, [program, 'init', name, `--runtime=${runtime}`])).toMatchObject({
        code: 0,
      });
      await importPackage(name, runtime === 'node' ? 'worker.mjs' : 'worker.ts');
      for (const command of commands)
        expect(await run(node, [program, ...command])).toMatchObject({ code: 0 });
    },
  );

  test.each(['18.20.8', '20.18.3'])(
    'ends on Node %s with a sentence that says what it needs',
    async (version) => {
      const pretended = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`;
      const program = 'node_modules/plugin-host-kit/bin/plugin-host-plugin.mjs';
      const outcome = await run(process.execPath, ['--import', pretended, program, 'init', 'x']);
      expect(outcome).toMatchObject({
        code: 2,
        stderr: `Node ${version} is too old: the plugin kit needs Node 20.19 or newer. Install one from nodejs.org.\n`,
      });
    },
  );

  test('says how to get a compiler where a plugin in Java is packed without one', async () => {
    await kit('init', 'no-javac', '--runtime=java');
    const program = join(folder, 'node_modules/plugin-host-kit/bin/plugin-host-plugin.mjs');
    const args = ['PATH=/nowhere', process.execPath, program, 'pack', 'no-javac'];
    const { code, stderr } = await run('env', ['-u', 'JAVA_HOME', ...args]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/javac was not found\. Install a JDK 17 or newer/);
  });

  test('makes a worker that runs without the kit and the host', async () => {
    await kit('init', 'alone');
    const { stdout } = spawnSync(process.execPath, ['backend/worker.mjs'], {
      cwd: join(folder, 'alone'),
      input: '{"jsonrpc":"2.0","id":1,"method":"orders","params":{}}\n',
      encoding: 'utf8',
      timeout: limitMs,
    });
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: [{ value: 'frequent' }, {}] });
  });

  test('uses nothing of a newer Node that it does not bring along itself', async () => {
    const lib = join(folder, 'node_modules', 'plugin-host-kit', 'lib');
    const supplied = await readFile(join(lib, 'newer-node.mjs'), 'utf8');
    const missing = new Set<string>();
    for (const name of globSync('*.mjs', { cwd: lib })) {
      const text = await readFile(join(lib, name), 'utf8');
      for (const [use] of text.matchAll(newerNames))
        if (!supplied.includes(`${use} ??=`)) missing.add(use);
    }
    expect([...missing]).toEqual([]);
  });

  test('works with tests of Vitest beside the plugin too', async () => {
    await kit('init', 'a-vitest');
    await rm(join(folder, 'a-vitest', 'test'), { recursive: true });
    await writeFile(
      join(folder, 'a-vitest', 'words.spec.mjs'),
      `import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPlugin } from 'plugin-host-kit';

let plugin;
beforeAll(async () => {
  plugin = await startPlugin({ directory: import.meta.dirname, config: { shortest: 2 } });
}, 60_000);
afterAll(() => plugin?.close());

test('it counts the words of a file', async () => {
  const file = await plugin.grantText('a.txt', 'one two two a');
  expect(await plugin.call('count', { file })).toMatchObject({ words: 3 });
});
`,
    );
    const repository = join(import.meta.dirname, '..');
    await symlink(join(repository, 'node_modules', 'vitest'), join(folder, 'node_modules/vitest'));
    const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
    const outcome = await run(process.execPath, [vitest, 'run', '--root', 'a-vitest']);
    expect(outcome, outcome.stderr).toMatchObject({ code: 0 });
    expect(outcome.stdout).toMatch(/1 passed/);
  });

  test('gives editors the schema, the types, and the documentation of the Java libraries', async () => {
    expect(await kit('init', 'for-editors', '--runtime=java')).toMatchObject({ code: 0 });
    const own = join(folder, 'for-editors', '.plugin-kit');
    expect(await readFile(join(own, 'manifest.schema.json'), 'utf8')).toContain('"description"');
    const jar = await readFile(join(own, 'java', 'plugin-host-javadoc.jar'));
    for (const page of ['host/worker/Worker.html', 'host/testing/StartedPlugin.html'])
      expect(jar.includes(page)).toBe(true);
    const ui = await readFile(join(folder, 'for-editors/ui/plugin-kit/plugin-client.d.ts'), 'utf8');
    expect(ui).toContain('pickFile');
  });

  test('packs the same plugin to the same bytes', async () => {
    await kit('init', 'same', '--runtime=typescript');
    for (const out of ['one', 'two']) await kit('pack', 'same', `--out=${out}`);
    const [one, two] = await Promise.all(
      ['one', 'two'].map((out) => readFile(join(folder, out, 'com.example.same-0.1.0.plugin'))),
    );
    expect(one).toEqual(two);
  });

  test('ends with 1 if there are findings, and reports those of all plugins', async () => {
    for (const name of ['first', 'second']) {
      await kit('init', `many/${name}`);
      await writeFile(join(folder, 'many', name, 'manifest.json'), '{ "id": ');
    }
    const { code, stdout } = await kit('validate', 'many', '--json');
    const { plugins } = JSON.parse(stdout) as {
      plugins: { id: null; findings: { code: string; line: number }[] }[];
    };
    expect(code).toBe(1);
    expect(plugins.map(({ findings }) => findings[0])).toEqual([
      expect.objectContaining({ severity: 'error', code: 'manifest_json', line: 1, column: 9 }),
      expect.objectContaining({ severity: 'error', code: 'manifest_json', line: 1, column: 9 }),
    ]);
    const packed = await kit('pack', 'many');
    expect(packed).toMatchObject({ code: 1, stdout: '' });
    expect(packed.stderr).toMatch(/many\/first[^]*many\/second/);
    expect(globSync('many/**/*.plugin', { cwd: folder })).toEqual([]);
  });

  test.each([
    [['ini'], /no command “ini”\. Did you mean init\?/],
    [['init'], /Name the folder/],
    [
      ['init', 'x', '--runtime=python'],
      /no template for “python”. Use one of node, java, typescript/,
    ],
    [['init', 'x', '--id=host.words'], /begin with host\./],
    [['validate', '--jsn'], /no option --jsn\. Did you mean --json\?/],
    [['validate', 'nowhere'], /no folder nowhere/],
    [['pack', 'package.json'], /package\.json is a file\. Name the folder of a plugin/],
    [['pack', '--out'], /--out needs a value/],
  ])('ends with 2 for %j and explains why', async (args, expected) => {
    const { code, stderr } = await kit(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(expected);
    expect(stderr).toContain('Usage: plugin-host-plugin');
  });

  test('does not write into a folder that is not empty', async () => {
    await kit('init', 'full');
    const { code, stderr } = await kit('init', 'full');
    expect(code).toBe(1);
    expect(stderr).toContain('is not empty');
  });
});
