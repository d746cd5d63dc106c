import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { api } from '../service/contract/index.ts';
import { startDebugger } from '../service/testing/debugger-program.ts';
import { useFolder } from '../service/testing/use-for-file.ts';
import { createHosts } from './built-host.ts';

const folder = await useFolder('plugin-inspect-');
const program = join(import.meta.dirname, '../dist/kit/bin/plugin-host-plugin.mjs');
const hosts = createHosts();
afterEach(hosts.cleanUp);

it('dev --inspect lets jdb into a Java worker that the kit compiled, with its variables', async () => {
  const directory = join(folder, 'made');
  const init = spawn(process.execPath, [program, 'init', directory, '--runtime=java']);
  expect(await once(init, 'exit')).toEqual([0, null]);
  const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'] });
  const client = await host.client();
  await client.call(api.settings.put, { body: { developerMode: true } });
  const named = [`--host=${await host.baseUrl()}`, `--token=${await host.value('HOST_TOKEN')}`];
  const dev = startDebugger(process.execPath, [program, 'dev', directory, '--inspect', ...named]);
  const running = [dev];
  try {
    const line = /jdb -attach (127\.0\.0\.1:\d+) -sourcepath backend\/src\n/;
    const [, address = ''] = await dev.until(line);
    const jdb = startDebugger('jdb', ['-attach', address]);
    running.push(jdb);
    await jdb.until(/> /);
    jdb.type('stop in plugin.Main.orders');
    await jdb.until(/Set breakpoint|Deferring breakpoint/);
    const body = { callId: 'call-1', method: 'orders' };
    const call = client.call(api.plugins.invoke, { params: { id: 'com.example.made' }, body });
    await jdb.until(/Breakpoint hit: [^]*\[1\] /);
    jdb.type('up');
    await jdb.until(/\[2\] /);
    jdb.type('locals');
    await jdb.until(/call = instance of host\.worker\./);
    jdb.type('clear plugin.Main.orders');
    await jdb.until(/Removed/);
    jdb.type('cont');
    expect(await call).toMatchObject({
      result: [{ value: 'frequent' }, { value: 'alphabetical' }],
    });
  } finally {
    for (const one of running) await one.close();
  }
});
