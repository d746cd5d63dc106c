import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createHosts } from '../built-host.ts';
import { commandsOf, docPages } from './pages.ts';

const hosts = createHosts();
afterEach(hosts.cleanUp);

const library = process.env['HOST_H2_JAR'] || '/usr/share/java/h2.jar';

it('the command for the shell of H2 reads the database of a host that has stopped', async () => {
  const host = await hosts.start({ args: ['--port=0', '--setup=H2'] });
  await host.value('HOST_TOKEN');
  const headers = { 'X-Host-Token': await host.value('HOST_TOKEN') };
  const body = JSON.stringify({ theme: 'dark' });
  const stored = await fetch(`${await host.baseUrl()}/api/settings`, {
    method: 'PUT',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  });
  expect(stored.status).toBe(200);
  await host.stop();

  const blocks = docPages().flatMap((page) => page.blocks);
  const commands = blocks.filter(({ language }) => language === 'sh').flatMap(commandsOf);
  const [command] = commands.filter(({ line }) => line.startsWith('java -cp h2.jar '));
  const line = (command?.line ?? '')
    .replace('java -cp h2.jar', `java -cp ${library}`)
    .replace('/home/me/.host', `${host.workDirectory}/.host`);
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
    cwd: dirname(library),
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('theme');
});
