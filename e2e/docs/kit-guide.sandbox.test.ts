import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useFolder } from '../../service/testing/use-for-file.ts';
import { guideBlock, writeGuidePlugin } from './guide-plugin.ts';
import { commandsOf, root } from './pages.ts';

const folder = await useFolder('kit-guide-');
const prefix = join(folder, 'global');
const plugin = join(folder, 'my-plugin');

interface Outcome {
  code: number | string | null | undefined;
  output: string;
}

/** Runs a line in a shell with the global npm packages of the test, without network. */
function run(line: string): Promise<Outcome> {
  const env = {
    PATH: `${join(prefix, 'bin')}:${process.env['PATH']}`,
    HOME: folder,
    npm_config_prefix: prefix,
    npm_config_offline: 'true',
    npm_config_audit: 'false',
  };
  return new Promise((resolve) => {
    execFile('bash', ['-c', line], { cwd: folder, env, timeout: 110_000 }, (error, ...streams) =>
      resolve({ code: error === null ? 0 : error.code, output: streams.join('') }),
    );
  });
}

it('the commands of the first minutes make, test and pack a plugin', async () => {
  const text = guideBlock('sh', 'npm install --global');
  const lines = commandsOf({ location: '', text }).map(({ line }) => line);
  await run(`cp ${join(root, 'dist')}/plugin-host-kit-*.tgz .`);
  for (const line of lines.filter((one) => !one.startsWith('plugin-host-plugin dev')))
    expect(await run(line), line).toMatchObject({ code: 0 });
  expect(lines).toContain('plugin-host-plugin dev my-plugin');
  expect((await run('ls my-plugin/dist/*.plugin')).code).toBe(0);
});

it('the tests that the guide shows pass beside the plugin of the template', async () => {
  await rm(join(plugin, 'test'), { recursive: true });
  await mkdir(join(plugin, 'test'));
  const example = guideBlock('js', 'const plugin = await startPlugin(');
  await writeFile(
    join(plugin, 'test', 'guide.test.mjs'),
    `import { test } from 'node:test';
import { startPlugin } from 'plugin-host-kit';
test('as the guide shows it', async () => {
${example}
});
`,
  );
  const tested = await run('plugin-host-plugin test my-plugin');
  expect(tested.output).toMatch(/pass 1\b/);
  expect(tested.code).toBe(0);
});

it('the tests of Vitest that the guide shows pass as well', async () => {
  await writeFile(join(plugin, 'words.spec.mjs'), guideBlock('js', "from 'vitest'"));
  const modules = join(plugin, 'node_modules');
  await mkdir(modules);
  await symlink(join(root, 'node_modules', 'vitest'), join(modules, 'vitest'));
  await symlink(join(prefix, 'lib/node_modules/plugin-host-kit'), join(modules, 'plugin-host-kit'));
  const outcome = await run(
    `${process.execPath} my-plugin/node_modules/vitest/vitest.mjs run --root my-plugin words`,
  );
  expect(outcome.output).toMatch(/1 passed/);
  expect(outcome.code).toBe(0);
});

it('the script of a page that the guide shows calls the worker of the guide', async () => {
  const directory = join(folder, 'words');
  await writeGuidePlugin(directory, 'node');
  const page = await readFile(join(directory, 'ui/index.html'), 'utf8');
  const ui = `${page}<p></p><script type="module" src="main.js"></script>`;
  await writeFile(join(directory, 'ui/index.html'), ui);
  await writeFile(
    join(directory, 'ui/main.js'),
    `const text = 'three plain words';
const { signal } = new AbortController();
${guideBlock('js', 'PluginClient')}
document.querySelector('p').textContent = [result.words, theme, locale].join(' ');
`,
  );
  await mkdir(join(directory, 'test'));
  await writeFile(
    join(directory, 'test', 'page.test.mjs'),
    `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPlugin } from 'plugin-host-kit';
test('the page', async () => {
  const plugin = await startPlugin();
  const { frame, errors } = await plugin.page({ theme: 'dark', locale: 'en' });
  await frame.getByText('3 dark en').waitFor();
  assert.deepEqual(errors, []);
  await plugin.close();
});
`,
  );
  const tested = await run('plugin-host-plugin test words');
  expect(tested.output).toMatch(/pass 1\b/);
  expect(tested.code).toBe(0);
});
