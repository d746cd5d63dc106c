import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../service/client/index.ts';
import { createClient } from '../service/client/index.ts';
import { api } from '../service/contract/index.ts';
import { startDebugger } from '../service/testing/debugger-program.ts';
import { useFolder } from '../service/testing/use-for-file.ts';
import { createHosts } from './built-host.ts';

const folder = await useFolder('plugin-dev-');
const program = join(import.meta.dirname, '../dist/kit/bin/plugin-host-plugin.mjs');
const hosts = createHosts();
const running: Dev[] = [];
let count = 0;
let directory: string;

interface Dev {
  child: ChildProcess;
  output(): string;
  exited: Promise<number | null>;
}

function start(args: string[], cwd = folder): Dev {
  const env = { PATH: process.env['PATH'], HOME: folder };
  const child = spawn(process.execPath, [program, ...args], { cwd, env });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  const dev = { child, output: () => text, exited };
  running.push(dev);
  return dev;
}

beforeEach(async () => {
  count += 1;
  directory = join(folder, `plugin-${count}`);
  expect(await start(['init', directory]).exited).toBe(0);
});
afterEach(async () => {
  for (const { child, exited } of running.splice(0)) {
    child.kill('SIGTERM');
    await exited;
  }
  await hosts.cleanUp();
});

async function change(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(directory, file), 'utf8');
  expect(text).toContain(from);
  await writeFile(join(directory, file), text.replace(from, to));
}

const orders = async (client: Client): Promise<string> => {
  const params = { id: `com.example.plugin-${count}` };
  const body = { callId: crypto.randomUUID(), method: 'orders' };
  return JSON.stringify(await client.call(api.plugins.invoke, { params, body }));
};

describe('plugin-host-plugin dev', () => {
  it('finds the host in developer mode, and a change of the worker takes effect', async () => {
    const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'] });
    const client = await host.client();
    await client.call(api.settings.put, { body: { developerMode: true } });
    const developerFile = join(host.workDirectory, '.host/dev.json');
    await expect.poll(() => readFile(developerFile, 'utf8').catch(() => '')).toContain('token');
    const dev = start(['dev', directory], host.workDirectory);
    await expect.poll(dev.output).toMatch(/Found a host[^]*is installed/);
    expect(await orders(client)).toContain('Most frequent first');

    await change('backend/worker.mjs', 'Most frequent first', 'Changed');
    await expect.poll(() => orders(client).catch(String)).toContain('Changed');

    await change(
      'backend/worker.mjs',
      'createWorker()',
      "console.error('seen here');createWorker()",
    );
    await expect
      .poll(async () => {
        await orders(client).catch(String);
        return dev.output();
      })
      .toContain('[stderr] INFO seen here');

    const answers = "'orders', () => [";
    const waits = `'orders', async () => (console.error('it waits'), await new Promise(() => undefined)) ?? [`;
    const installs = () => dev.output().match(/is installed/g)?.length ?? 0;
    const before = installs();
    await change('backend/worker.mjs', answers, waits);
    await expect.poll(installs).toBe(before + 1);
    const open = orders(client).catch(String);
    await expect.poll(dev.output).toContain('[stderr] INFO it waits');
    await change('backend/worker.mjs', waits, answers);
    expect(await open).toContain('was stopped because another version is being installed');

    await change('manifest.json', '"0.1.0"', '"1"');
    await expect.poll(dev.output).toMatch(/manifest\.json:5:\d+: error: version must be/);
    await expect.poll(dev.output).toContain('Not installed. Correct the errors');
    await expect.poll(() => orders(client).catch(String)).toContain('Changed');

    dev.child.kill('SIGINT');
    expect(await dev.exited).toBe(0);
  });

  it('starts its own host if none is running, and ends it', async () => {
    const dev = start(['dev'], directory);
    await expect.poll(dev.output).toMatch(/Started a host[^]*is installed/);
    const url = /browser: (http:\S+)/.exec(dev.output())?.[1] ?? '';
    const health = new URL('/api/health', url);
    expect((await fetch(health)).status).toBe(200);
    dev.child.kill('SIGINT');
    expect(await dev.exited).toBe(0);
    await expect(fetch(health)).rejects.toThrow('fetch failed');
  });

  it('lets a debugger connect while it runs, with a host of its own', async () => {
    const dev = start(['dev', '--inspect'], directory);
    await expect
      .poll(dev.output, { timeout: 60_000 })
      .toMatch(
        /is installed[^]*connect at ws:[^]*node inspect 127\.0\.0\.1:\d+[^]* is \/plugin there/,
      );
    const address = /node inspect (\S+)/.exec(dev.output())?.[1] ?? '';
    const node = startDebugger(process.execPath, ['inspect', address]);
    try {
      await node.until(/debug> /);
      node.type('exec process.argv[1]');
      await node.until(/'\/plugin\/backend\/worker\.mjs'/);
    } finally {
      await node.close();
    }
    dev.child.kill('SIGINT');
    expect(await dev.exited).toBe(0);
    await expect(fetch(`http://${address}/json`)).rejects.toThrow('fetch failed');
  });

  it('takes a host by its address and reports an invalid token', async () => {
    const host = await hosts.start({ args: ['--port=0', '--setup=SQLITE'] });
    const baseUrl = await host.baseUrl();
    const token = await host.value('HOST_TOKEN');
    const dev = start(['dev', directory, `--host=${baseUrl}`, `--token=${token}`]);
    await expect.poll(dev.output).toContain('is installed');
    const client = createClient({ baseUrl, token: () => token });
    expect(await orders(client)).toContain('Most frequent first');
    const wrong = start(['dev', directory, `--host=${baseUrl}`, '--token=wrong']);
    await expect.poll(wrong.output).toContain('Send the launch token');
    const file = `--host-file=${join(directory, 'manifest.json')}`;
    for (const [args, code] of [
      [['--host=http://example.com', '--token=x'], 2],
      [['--host=http://127.0.0.1:1', '--token=x', file], 2],
      [[file], 1],
    ] as const)
      expect(await start(['dev', directory, ...args]).exited).toBe(code);
  });
});
