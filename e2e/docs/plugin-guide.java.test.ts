import { spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type BuiltHost, createHosts } from '../built-host.ts';
import { guideBlocks, writeGuidePlugin } from './guide-plugin.ts';
import { commandsOf, root } from './pages.ts';

const hosts = createHosts();
afterEach(hosts.cleanUp);

function pack(plugins: string, packages: string): void {
  const [command] = guideBlocks
    .flatMap(commandsOf)
    .filter(({ line }) => line.includes('pack-all.ts'));
  const [, ...args] = (command?.line ?? '')
    .replace('my-plugins', plugins)
    .replace('my-packages', packages)
    .split(' ');
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}

async function upload(host: BuiltHost, file: string): Promise<number> {
  const form = new FormData();
  form.append('file', new Blob([await readFile(file)]), 'words.plugin');
  const headers = { 'X-Host-Token': await host.value('HOST_TOKEN') };
  const url = `${await host.baseUrl()}/api/plugin-market/upload`;
  const answer = await fetch(url, { method: 'POST', headers, body: form });
  return answer.status;
}

describe.each(['java', 'node'] as const)(
  'the plugin of the guide with a worker in %s',
  (runtime) => {
    it('is packed, installed and called as the guide says', async () => {
      const folder = await hosts.makeFolder();
      const [plugins, packages] = [join(folder, 'sources'), join(folder, 'packages')];
      const manifest = await writeGuidePlugin(join(plugins, 'words'), runtime);
      pack(plugins, packages);
      const file = `${manifest.id}-${manifest.version}.plugin`;
      expect(await readdir(packages)).toEqual(expect.arrayContaining([file, `${file}.sha256`]));

      const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'] });
      expect(await upload(host, join(packages, file))).toBe(200);
      const answer = await fetch(
        `${await host.baseUrl()}/api/plugin-runtime/${manifest.id}/invoke`,
        {
          method: 'POST',
          headers: {
            'X-Host-Token': await host.value('HOST_TOKEN'),
            'Content-Type': 'application/json',
          },
          body: JSON.stringify({
            callId: 'one',
            method: 'count',
            params: { text: 'three plain words' },
          }),
        },
      );
      expect(await answer.json()).toEqual({ callId: 'one', result: { words: 3 } });
    });
  },
);
