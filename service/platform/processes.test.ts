import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isAlive } from '../testing/workers/is-alive.ts';
import { createProcesses, type OwnedProcess, type Processes } from './processes.ts';

const workers = join(import.meta.dirname, '..', 'testing', 'workers');
const node = process.execPath;
const cwd = tmpdir();

interface Family {
  leader: number;
  child: number;
  orphan: number;
  bare?: number;
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'latin1');
  } catch {
    return '';
  }
}

const living = (family: Family): number[] => Object.values(family).filter((pid) => isAlive(pid));

async function firstLine(stream: Readable): Promise<string> {
  let all = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    all += String(chunk);
    if (all.includes('\n')) break;
  }
  return all.split('\n')[0] ?? '';
}

describe('createProcesses', () => {
  let processes: Processes;

  beforeEach(() => {
    processes = createProcesses();
  });

  afterEach(async () => {
    await processes.close();
  });

  const run = (args: string[], env: Record<string, string> = {}): Promise<OwnedProcess> =>
    processes.spawn({ program: node, args, cwd, env });

  async function startFamily(...options: string[]): Promise<[OwnedProcess, Family]> {
    const owned = await run([join(workers, 'family.mjs'), ...options]);
    const family = JSON.parse(await firstLine(owned.stdout)) as Family;
    return [owned, family];
  }

  it('starts the process with exactly the specified environment and directory', async () => {
    process.env['OPENAI_API_KEY'] = 'secret';
    const script = 'console.log(JSON.stringify([process.env, process.cwd()]))';
    // Names that a shell would drop.
    const variables = {
      GREETING: 'hello',
      'a.b': '1',
      'BASH_FUNC_f%%': '() { :; }',
      PWD: '/elsewhere',
    };
    const { stdout, exited } = await run(['-e', script], variables);
    const [env, directory] = JSON.parse(await text(stdout)) as [Record<string, string>, string];
    delete process.env['OPENAI_API_KEY'];
    const { HOST_PROCESS_TREE: marker, ...others } = env;
    expect(others).toEqual(variables);
    expect(marker).toMatch(/^\d{15}$/);
    expect(directory).toBe(cwd);
    expect(await exited).toEqual({ code: 0, signal: null });
  });

  it('passes arguments on unchanged, since no shell is involved', async () => {
    const odd = ['$(id)', '; exit 3', '`id`', '*', '', 'a b', '"'];
    const { stdout } = await run([
      '-e',
      'console.log(JSON.stringify(process.argv.slice(1)))',
      '--',
      ...odd,
    ]);
    expect(JSON.parse(await text(stdout))).toEqual(odd);
  });

  it('reports how the process ended', async () => {
    expect(await (await run(['-e', 'process.exit(7)'])).exited).toEqual({ code: 7, signal: null });
    const killed = await run(['-e', 'process.kill(process.pid, "SIGSEGV")']);
    expect(await killed.exited).toEqual({ code: null, signal: 'SIGSEGV' });
  });

  it('survives writing to a process that has ended', async () => {
    const owned = await run(['-e', '']);
    await owned.exited;
    const written = new Promise((resolve) => owned.stdin.write('x'.repeat(1_000_000), resolve));
    expect(await written).toBeInstanceOf(Error);
  });

  it('reports which program cannot be started, and why', async () => {
    const start = (program: string, directory = cwd) =>
      processes.spawn({ program, args: [], cwd: directory, env: {} });
    const refusal = { name: 'HostError', kind: 'upstream-failed', code: 'spawn_failed' };
    await expect(start('/no/such/program')).rejects.toMatchObject({
      ...refusal,
      message: 'Could not start program: the program was not found.',
    });
    await expect(start(join(workers, 'family.mjs'))).rejects.toMatchObject({
      ...refusal,
      message: 'Could not start family.mjs: this user is not allowed to run it.',
    });
    await expect(start('/bin/sh', '/no/such/folder')).rejects.toMatchObject({
      ...refusal,
      message: 'Could not start sh: its working directory is missing.',
    });
    await expect(start('sh')).rejects.toMatchObject(refusal);
  });

  it('waits for the group to end by itself', async () => {
    const script =
      'process.on("SIGTERM", () => process.exit(5)); console.log(); setInterval(() => {}, 1000)';
    const owned = await run(['-e', script]);
    await firstLine(owned.stdout);
    await owned.terminate(10_000);
    expect(await owned.exited).toEqual({ code: 5, signal: null });
  });

  it('kills processes that ignore SIGTERM after the grace period', async () => {
    const [owned, family] = await startFamily('--with-bare');
    expect(living(family)).toHaveLength(4);
    const startedMs = performance.now();
    await owned.terminate(300);
    expect(living(family)).toEqual([]);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(290);
    expect(await owned.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('kills at once without a grace period', async () => {
    const [owned, family] = await startFamily();
    await owned.terminate(0);
    expect(living(family)).toEqual([]);
  });

  it('kills at once if requested during a grace period', async () => {
    const [owned, family] = await startFamily();
    const startedMs = performance.now();
    await Promise.all([owned.terminate(20_000), owned.terminate(0)]);
    expect(living(family)).toEqual([]);
    expect(performance.now() - startedMs).toBeLessThan(15_000);
  });

  it('ends children that outlive a process which ended by itself', async () => {
    const [owned, family] = await startFamily('--leave');
    expect(await owned.exited).toEqual({ code: 0, signal: null });
    await expect.poll(() => living(family)).toEqual([]);
    await owned.terminate(1_000);
  });

  it('ends children that outlive a process which obeyed SIGTERM', async () => {
    const [owned, family] = await startFamily('--polite');
    await owned.terminate(10_000);
    expect(await owned.exited).toEqual({ code: 0, signal: null });
    expect(living(family)).toEqual([]);
  });

  it('does not affect other processes', async () => {
    const [one] = await startFamily();
    const [two, others] = await startFamily('--with-bare');
    await one.terminate(0);
    expect(living(others)).toHaveLength(4);
    await two.terminate(0);
  });

  it('ends everything when it closes, and starts nothing afterwards [ISOLATION-17]', async () => {
    const [, one] = await startFamily();
    const [, two] = await startFamily();
    await processes.close();
    expect([...living(one), ...living(two)]).toEqual([]);
    await expect(run(['-e', ''])).rejects.toMatchObject({ code: 'host_closing' });
  });
});

describe('a host that is killed', () => {
  async function startHost() {
    const host = spawn(node, [join(workers, 'doomed-host.ts')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const family = JSON.parse(await firstLine(host.stdout)) as Family;
    expect(living(family)).toHaveLength(4);
    return { host, family };
  }

  async function killAndWatch(host: ChildProcess, family: Family) {
    host.kill('SIGKILL');
    await once(host, 'exit');
    await expect.poll(() => living(family)).toEqual([]);
  }

  function watchdogOf(host: ChildProcess): number | undefined {
    const children = readFileSync(`/proc/${host.pid}/task/${host.pid}/children`, 'latin1');
    const pids = children.trim().split(' ').map(Number);
    return pids.find((pid) => nameOf(pid) === 'sh\n');
  }

  /**
   * Resolves with the new watchdog, other than `before`; between fork and exec it still has the
   * name of the host.
   */
  async function startedWatchdogOf(host: ChildProcess, before = 0): Promise<number> {
    let found = 0;
    await expect
      .poll(() => (found = watchdogOf(host) ?? 0))
      .toSatisfy((pid) => pid !== 0 && pid !== before);
    return found;
  }

  it('leaves nothing behind, not even processes that left their group [ISOLATION-17]', async () => {
    const { host, family } = await startHost();
    await killAndWatch(host, family);
  });

  it('leaves nothing behind if all processes were asked to end just before', async () => {
    const { host, family } = await startHost();
    const watchdog = await startedWatchdogOf(host);
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.kill(watchdog, name);
    await killAndWatch(host, family);
  });

  it('leaves nothing behind if its watchdog was killed before', async () => {
    const { host, family } = await startHost();
    const first = await startedWatchdogOf(host);
    process.kill(first, 'SIGKILL');
    await startedWatchdogOf(host, first);
    await killAndWatch(host, family);
  });
});
