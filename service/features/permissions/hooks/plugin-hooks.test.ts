import { chmod, cp, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Hook } from '../../../contract/settings.ts';
import { aCall, nobody, runnerOf } from '../../../testing/hook-runner.ts';
import { pluginStack, type PluginStack } from '../../../testing/plugin-stack.ts';
import type { Plugin } from '../../plugins/index.ts';
import type { HookRunner } from './hook-runner.ts';
import { runnableHooks } from './runnable-hooks.ts';
import { textOf } from '../../../messages/index.ts';

const nested = (...handlers: object[]): string =>
  JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: handlers }] } });
const guard = { type: 'command', command: '"${CLAUDE_PLUGIN_ROOT}"/hooks/guard.sh' };
const script = (reason: string): string => `#!/bin/sh\n. "$PLUGIN_ROOT"/lib.sh\ndeny '${reason}'\n`;
const library = 'deny() { echo "$1 in $(pwd)" >&2; exit 2; }\n';
const files = {
  'hooks/hooks.json': nested(guard),
  'hooks/guard.sh': script('Denied'),
  'lib.sh': library,
};

interface Ready extends PluginStack {
  plugin: Plugin;
  runner: HookRunner;
  /** Returns the verdict of the hooks on a command: the decision alone, or with its reason. */
  verdict: () => Promise<string>;
}

async function ready(more: Record<string, string> = {}): Promise<Ready> {
  const stack = await pluginStack();
  const plugin = await install(stack, more);
  const { contributions, dataDirectory, configs } = stack;
  const trusted = contributions.trustedParts;
  const { runner } = await runnerOf(() =>
    runnableHooks({ own: [], trusted, dataDirectory, configs }),
  );
  const verdict = async (): Promise<string> => {
    const { decision, reason, warnings } = await runner.run(aCall(), nobody);
    expect(warnings).toEqual([]);
    return decision === 'none' ? 'none' : `${decision}: ${textOf(reason ?? '')}`;
  };
  return { ...stack, plugin, runner, verdict };
}

async function install(stack: PluginStack, more: Record<string, string> = {}): Promise<Plugin> {
  const plugin = await stack.install({ ...files, ...more });
  await chmod(join(plugin.directory, 'hooks', 'guard.sh'), 0o755);
  return plugin;
}

const put = (plugin: Plugin, path: string, content: string): Promise<void> =>
  writeFile(join(plugin.directory, path), content);

describe('the hooks of a plugin', () => {
  it('[HOOK-16] [HOOK-18] [HOOK-21] [HOOK-22] run from the moment it is trusted until the trust is revoked', async () => {
    const { contributions, plugin, host, verdict, runner, dataDirectory } = await ready();
    expect(await verdict()).toBe('none');
    await host.setEnabled(plugin.id, false);
    await host.setEnabled(plugin.id, true);
    expect(await verdict()).toBe('none');
    expect(runner.status()).toEqual([]);

    const { hooks } = await contributions.trust(plugin.id);
    expect(await verdict()).toBe(`deny: Denied in ${plugin.directory}`);
    expect(runner.status()).toMatchObject([{ hook: hooks[0]?.name, decision: 'deny' }]);
    expect(hooks[0]?.name).toMatch(/^plugin\/acme\.demo\/./);
    expect((await stat(dataDirectory(plugin.id))).isDirectory()).toBe(true);

    await contributions.untrust(plugin.id);
    expect(await verdict()).toBe('none');
  });

  it('do not run while it is disabled or after it is uninstalled', async () => {
    const { contributions, plugin, host, verdict } = await ready();
    await contributions.trust(plugin.id);
    await host.setEnabled(plugin.id, false);
    expect(await verdict()).toBe('none');
    await host.setEnabled(plugin.id, true);
    expect(await verdict()).toMatch(/^deny/);
    await host.uninstall(plugin.id, false);
    expect(await verdict()).toBe('none');
  });

  it('do not run after an update that changes them', async () => {
    const { contributions, plugin, verdict, ...stack } = await ready();
    await contributions.trust(plugin.id);
    expect(await verdict()).toMatch(/^deny/);
    await install({ ...stack, contributions });
    expect(await verdict()).toMatch(/^deny/);
    await install({ ...stack, contributions }, { 'lib.sh': `${library}\n` });
    expect(await verdict()).toBe('none');
  });

  const edits: [string, (plugin: Plugin) => Promise<unknown>][] = [
    ['the script', (plugin) => put(plugin, 'hooks/guard.sh', script('Edited'))],
    ['what the script loads', (plugin) => put(plugin, 'lib.sh', library.replace('2', '0'))],
    ['the list of hooks', (plugin) => put(plugin, 'hooks/hooks.json', nested(guard, guard))],
    ['the hooks by another list', (plugin) => put(plugin, 'hooks.json', nested(guard))],
    [
      'the script, by a file in its place with its size and its times',
      async (plugin) => {
        const file = join(plugin.directory, 'hooks', 'guard.sh');
        const old = new Date(2020, 1, 1);
        await utimes(file, old, old);
        await cp(file, `${file}.new`, { preserveTimestamps: true });
        await writeFile(`${file}.new`, script('Edited'), { flag: 'r+' });
        await utimes(`${file}.new`, old, old);
        await rename(`${file}.new`, file);
      },
    ],
    ['that a file is gone', (plugin) => rm(join(plugin.directory, 'lib.sh'))],
  ];

  it.each(edits)('do not run after an edit of %s', async (_what, edit) => {
    const { contributions, plugin, verdict } = await ready();
    await contributions.trust(plugin.id);
    expect(await verdict()).toMatch(/^deny/);
    await edit(plugin);
    expect(await verdict()).toBe('none');
    expect(await verdict()).toBe('none');
    await contributions.trust(plugin.id);
    expect((await contributions.trustedParts.now()).length).toBe(1);
  });

  it('run in order after those of the settings, which need no trust', async () => {
    const stack = await pluginStack();
    const plugin = await install(stack, {
      'hooks/hooks.json': nested(
        { ...guard, name: 'one' },
        { ...guard, name: 'two', enabled: false },
        { ...guard, name: 'three', if: 'Bash(x)' },
        { type: 'prompt', prompt: 'Well?', name: 'four' },
        { type: 'http', url: 'http://127.0.0.1:9/', name: 'five', timeout: 5 },
        { ...guard, args: ['${CLAUDE_PLUGIN_DATA}'], name: 'six', shell: 'bash' },
      ),
    });
    await stack.contributions.trust(plugin.id);
    const own = [
      { name: 'a', event: 'pre_tool_use', type: 'command', command: 'exit 0' },
      { name: 'b', event: 'run_error', type: 'http', url: 'https://a.test/', matcher: 'x' },
      { name: 'c', event: 'run_error', type: 'command', command: 'exit 0', enabled: false },
    ].map((hook) => Hook.parse(hook));
    const { contributions, dataDirectory, configs } = stack;
    const found = await runnableHooks({
      own,
      trusted: contributions.trustedParts,
      dataDirectory,
      configs,
    });
    expect(found.map(({ name, type, cwd }) => [name, type, cwd])).toEqual([
      ['a', 'command', null],
      ['b', 'http', null],
      ['plugin/acme.demo/one', 'command', plugin.directory],
      ['plugin/acme.demo/five', 'http', plugin.directory],
      ['plugin/acme.demo/six', 'command', plugin.directory],
    ]);
    expect(found[0]).toMatchObject({ matcher: null, timeoutSeconds: 60, plugin: null });
    expect(found[1]).toMatchObject({ matcher: 'x', url: 'https://a.test/' });
    expect(found[2]?.variables).toEqual({
      HOST_PLUGIN_ROOT: plugin.directory,
      CLAUDE_PLUGIN_ROOT: plugin.directory,
      PLUGIN_ROOT: plugin.directory,
      HOST_PLUGIN_DATA: dataDirectory(plugin.id),
      CLAUDE_PLUGIN_DATA: dataDirectory(plugin.id),
      PLUGIN_DATA: dataDirectory(plugin.id),
    });
  });
});
