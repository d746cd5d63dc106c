import { randomInt } from 'node:crypto';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isAlive } from '../../../testing/workers/is-alive.ts';
import { openTools } from '../../../testing/open-tools.ts';
import { serveWeb, type WebServer } from '../../../testing/web-server.ts';
import { useFolder, useForFile } from '../../../testing/use-for-file.ts';

const outside = await useFolder('outside-');
const tools = await useForFile(openTools());

beforeAll(async () => {
  await writeFile(join(outside, 'secret.txt'), 'of the user');
  await mkdir(tools.paths.workspace, { recursive: true });
});

const run = (command: string, more: object = {}, how: object = {}) =>
  tools.json('execute_command', { command, ...more }, how);

/** A sleep time in seconds that no other process of this machine uses. */
const longTime = (): string => String(randomInt(10 ** 8, 10 ** 9));

/** Counts the processes of this machine with the word in their command line. */
async function processesWith(word: string): Promise<number> {
  const { output } = await tools.call(
    'execute_command',
    {
      command: `grep -l -a -- ${word.slice(0, 1)}[${word.slice(1, 2)}]${word.slice(2)} /proc/[0-9]*/cmdline 2>/dev/null | wc -l`,
    },
    { sandboxed: false },
  );
  return Number((JSON.parse(output) as { stdout: string }).stdout);
}

describe('the result of a command', () => {
  it('contains its exit code, both streams separately, and the legacy fields [TOOL-01, TOOL-03]', async () => {
    const result = await run('echo out; echo err >&2; exit 3');
    expect(result).toMatchObject({
      exitCode: 3,
      stdout: 'out\n',
      stderr: 'err\n',
      stdoutTruncated: false,
      stderrTruncated: false,
      truncated: false,
      durationMs: expect.any(Number) as unknown,
    });
    expect(String(result['output']).split('\n').sort()).toEqual(['', 'err', 'out']);
    expect((await tools.call('execute_command', { command: 'exit 3' })).success).toBe(false);
    expect((await tools.call('execute_command', { command: 'true' })).success).toBe(true);
  });

  it('names the signal that ended it, with and without the sandbox', async () => {
    for (const sandboxed of [true, false]) {
      const result = await run('kill -9 $$', {}, { sandboxed });
      expect(result, String(sandboxed)).toMatchObject({ exitCode: 137, signal: 'SIGKILL' });
    }
  });

  it('keeps head and tail of a stream that is too long, and states how much is missing [TOOL-02]', async () => {
    const result = await run('seq 1 100000; echo short >&2');
    const whole = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join('');
    const stdout = String(result['stdout']);
    const omitted = Number(/\n\[… (\d+) characters omitted …\]\n/.exec(stdout)?.[1]);
    expect(omitted).toBe(whole.length - 64 * 1024);
    expect(stdout.startsWith('1\n2\n3\n')).toBe(true);
    expect(stdout.endsWith('\n99999\n100000\n')).toBe(true);
    expect(result).toMatchObject({
      stdoutTruncated: true,
      stderrTruncated: false,
      truncated: true,
    });
    expect(result).toMatchObject({ stderr: 'short\n' });
  });

  it('does not split multi-byte characters', async () => {
    const result = await run(`printf 'a\\xf0\\x9f'; sleep 0.1; printf '\\x99\\x82z\\xff'`);
    expect(result['stdout']).toBe('a🙂z\uFFFD');
  });

  it('is streamed while it runs', async () => {
    const pieces: string[] = [];
    const file = join(tools.paths.workspace, 'go');
    const running = run(
      'echo first; until [ -e go ]; do sleep 0.05; done; echo last',
      {},
      { onProgress: (text: string) => pieces.push(text) },
    );
    await expect.poll(() => pieces.join('')).toBe('first\n');
    await writeFile(file, '');
    expect((await running)['stdout']).toBe('first\nlast\n');
    expect(pieces.join('')).toBe('first\nlast\n');
  });

  it('is passed to a listener in large chunks, however many small ones arrive', async () => {
    const pieces: string[] = [];
    const startedMs = performance.now();
    await run('yes | head -c 20000000', {}, { onProgress: (text: string) => pieces.push(text) });
    expect(pieces.length).toBeLessThan(3 + (performance.now() - startedMs) / 100);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(17_000);
  });

  it('reports what is wrong with the arguments, and nothing runs', async () => {
    for (const args of [{}, { command: 5 }, { command: 'true', timeoutSeconds: 3_601 }]) {
      const { success, output } = await tools.call('execute_command', args);
      expect(success).toBe(false);
      expect(output).toMatch(/^The arguments of execute_command are not valid: /);
    }
    expect((await tools.call('execute_command', '{"command": "tr')).output).toMatch(
      /not valid JSON/,
    );
    expect((await run('a\0b'))['error']).toMatch(/NUL/);
  });
});

describe('the sandbox', () => {
  it('lets a command write to the workspace, and hides the home directory and the host', async () => {
    const result = await run(
      `echo made > made.txt; ls -A ~ /home /root 2>&1; cat ${outside}/secret.txt ${tools.paths.config}/* 2>&1; ls ${tools.paths.host}; touch /usr/x ${outside}/x 2>&1; echo $HOME`,
    );
    expect(await readFile(join(tools.paths.workspace, 'made.txt'), 'utf8')).toBe('made\n');
    const stdout = String(result['stdout']);
    expect(stdout).not.toContain('of the user');
    expect(stdout).toContain('Read-only file system');
    expect(stdout).toMatch(/\nworkspace\n/);
    expect(stdout).not.toMatch(/\b(config|database|plugins)\n/);
    expect(stdout.trimEnd().endsWith('/tmp')).toBe(true);
  });

  it('hides the folder of the host in a workspace that contains it', async () => {
    tools.settings.workspaceDirectory = tools.paths.workDirectory;
    try {
      const result = await run('pwd; ls -A .host | wc -l; ls');
      expect(result['stdout']).toMatch(new RegExp(`^${tools.paths.workDirectory}\n0\n`));
      const own = await tools.call('execute_command', { command: 'ls', cwd: '.host' });
      expect(own.output).toMatch(/outside the workspace/);
    } finally {
      tools.settings.workspaceDirectory = '';
    }
  });

  it('runs commands only in folders of the workspace, whatever links exist', async () => {
    const { workspace } = tools.paths;
    await mkdir(join(workspace, 'below', 'deep'), { recursive: true });
    await symlink(outside, join(workspace, 'way-out'));
    expect((await run('pwd', { cwd: 'below/deep' }))['stdout']).toBe(`${workspace}/below/deep\n`);
    expect((await run('pwd', { cwd: join(workspace, 'below') }))['exitCode']).toBe(0);
    for (const cwd of ['way-out', outside, '..', '/', '/usr', `${workspace}-other`, 'nothing']) {
      const { success, output } = await tools.call('execute_command', { command: 'pwd', cwd });
      expect({ cwd, success }).toEqual({ cwd, success: false });
      expect(output).toMatch(/outside the workspace|There is no folder/);
    }
    const bare = await run('cat secret.txt', { cwd: 'way-out' }, { sandboxed: false });
    expect(bare['stdout']).toBe('of the user');
  });

  it.each([true, false])('leaks no secret of the host (in the sandbox: %s)', async (sandboxed) => {
    process.env['OPENAI_API_KEY'] = 'sk-canary-1';
    process.env['HOST_AUTH_TOKEN'] = 'canary-2';
    process.env['SOME_SETTING'] = 'postgres://me:canary-3@localhost/db';
    try {
      const result = await run(
        'env; cat /proc/self/environ /proc/1/environ | tr "\\0" "\\n"',
        {},
        { sandboxed },
      );
      expect(result['stdout']).toContain('PATH=');
      expect(JSON.stringify(result)).not.toMatch(/canary-\d/);
    } finally {
      for (const name of ['OPENAI_API_KEY', 'HOST_AUTH_TOKEN', 'SOME_SETTING'])
        delete process.env[name];
    }
  });

  it.each([true, false])(
    'reads no startup file of the user (in the sandbox: %s)',
    async (sandboxed) => {
      const home = process.env['HOME'];
      process.env['HOME'] = outside;
      for (const name of ['.bashrc', '.bash_profile', '.profile'])
        await writeFile(join(outside, name), 'export API_KEY=canary-4; echo canary-5');
      try {
        const result = await run('env; echo $BASH_ENV', {}, { sandboxed });
        expect(result['exitCode']).toBe(0);
        expect(JSON.stringify(result)).not.toMatch(/canary-\d/);
      } finally {
        process.env['HOME'] = home;
      }
    },
  );

  describe('network access', () => {
    let server: WebServer;
    beforeAll(async () => {
      server = await serveWeb((_, response) => response.end('hello'));
    });
    afterAll(() => server.close());
    const knock = (): string =>
      `exec 3<>/dev/tcp/127.0.0.1/${server.port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`;

    it('is unavailable unless requested and granted', async () => {
      expect((await run(knock()))['exitCode']).not.toBe(0);
      const asked = await run(knock(), { network: true });
      expect(asked['exitCode']).not.toBe(0);
      expect(asked['note']).toMatch(/not granted/);
      const granted = await run(knock(), { network: true }, { network: true });
      expect(granted['stdout']).toMatch(/hello$/);
      expect(granted).not.toHaveProperty('note');
      expect((await run(knock(), {}, { sandboxed: false }))['stdout']).toMatch(/hello$/);
    });
  });
});

describe.each([true, false])('stopping a command (in the sandbox: %s)', (sandboxed) => {
  const how = { sandboxed };
  const family = (time: string): string =>
    `setsid sleep ${time} & sleep ${time} & (trap "" TERM; exec sleep ${time}) &`;

  it('happens at its timeout, with all processes that it started', async () => {
    const startedMs = performance.now();
    const time = longTime();
    const command = `${family(time)} echo begun; wait`;
    const result = await run(command, { timeoutSeconds: 3 }, how);
    expect(performance.now() - startedMs).toBeLessThan(30_000);
    expect(result).toMatchObject({ timedOut: true, stdout: 'begun\n' });
    expect(result['error']).toMatch(/longer than 3 s/);
    expect(await processesWith(time)).toBe(0);
  });

  it('happens soon after it is cancelled, with all processes that it started', async () => {
    const cancel = new AbortController();
    const time = longTime();
    const running = run(`${family(time)} wait`, {}, { ...how, signal: cancel.signal });
    await expect.poll(() => processesWith(time)).toBeGreaterThanOrEqual(3);
    const startedMs = performance.now();
    cancel.abort();
    const result = await running;
    expect(performance.now() - startedMs).toBeLessThan(6_000);
    expect(result['error']).toMatch(/cancelled/);
    expect(await processesWith(time)).toBe(0);
  });

  it('also stops the processes that it left running', async () => {
    const time = longTime();
    const command = `setsid nohup sleep ${time} >/dev/null 2>&1 & sleep ${time} & echo done`;
    const result = await run(command, {}, how);
    expect(result).toMatchObject({ exitCode: 0, stdout: 'done\n' });
    expect(await processesWith(time)).toBe(0);
  });

  it('happens at its timeout while it forks endlessly', async () => {
    const time = longTime();
    const forks = `f() { [ $1 -gt 6 ] && exec sleep ${time}; f $(($1+1)) & f $(($1+1)) & wait; }; f 0`;
    const result = await run(forks, { timeoutSeconds: 2 }, how);
    expect(result['timedOut']).toBe(true);
    expect(await processesWith(time)).toBe(0);
  });

  it('happens at its timeout while it writes endlessly, and memory stays flat', async () => {
    const before = process.memoryUsage().rss;
    let most = 0;
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
    const result = await run('yes "a line of output"', { timeoutSeconds: 2 }, how);
    clearInterval(timer);
    expect(result).toMatchObject({ timedOut: true, stdoutTruncated: true });
    expect(String(result['stdout']).length).toBeLessThan(66_000);
    expect((most - before) / 1024 ** 2).toBeLessThan(250);
  });
});

describe('a background command', () => {
  afterEach(async () => {
    for (const { taskId } of tools.tasks.list()) await tools.tasks.kill(taskId);
  });
  const start = async (command: string, how = {}): Promise<string> => {
    const result = await run(command, { background: true }, how);
    expect(result).toMatchObject({
      exitCode: null,
      stdout: '',
      background: expect.stringContaining('task_output') as unknown,
    });
    return String(result['taskId']);
  };

  it('is a task whose output can be read while it runs, and which can be waited for', async () => {
    const taskId = await start(
      'echo begun; until [ -e finish ]; do sleep 0.05; done; echo over >&2; exit 4',
    );
    await expect.poll(async () => (await tools.tasks.output(taskId)).stdout).toBe('begun\n');
    expect(await tools.tasks.output(taskId)).toMatchObject({ status: 'running', exitCode: null });
    await writeFile(join(tools.paths.workspace, 'finish'), '');
    await tools.tasks.wait(taskId, AbortSignal.timeout(20_000));
    const over = { status: 'failed', exitCode: 4, stdout: 'begun\n', stderr: 'over\n' };
    expect(await tools.tasks.output(taskId)).toMatchObject(over);
    expect(tools.tasks.named(taskId).finishedAt).toEqual(expect.any(String));
  });

  it.each([true, false])(
    'receives SIGTERM before it is killed (in the sandbox: %s)',
    async (sandboxed) => {
      const polite = await start(
        `trap 'echo goodbye; exit 5' TERM; echo ready; while :; do sleep 0.05; done`,
        { sandboxed },
      );
      await expect.poll(async () => (await tools.tasks.output(polite)).stdout).toBe('ready\n');
      await tools.tasks.kill(polite);
      const ended = await tools.tasks.output(polite);
      expect(ended).toMatchObject({ status: 'killed', stdout: 'ready\ngoodbye\n' });
      await tools.tasks.kill(polite);
      expect(await tools.tasks.output(polite)).toEqual(ended);
    },
  );

  it('is killed if it ignores SIGTERM, and stops with the host', async () => {
    const deaf = await start(`trap '' TERM; echo ready; while :; do sleep 0.05; done`);
    await expect.poll(async () => (await tools.tasks.output(deaf)).stdout).toBe('ready\n');
    await tools.tasks.kill(deaf);
    expect(await tools.tasks.output(deaf)).toMatchObject({ status: 'killed' });
    const other = await openTools();
    const { output } = await other.call(
      'execute_command',
      { command: 'echo $$; exec sleep 30075', background: true },
      { sandboxed: false },
    );
    const { taskId } = JSON.parse(output) as { taskId: string };
    await expect.poll(async () => (await other.tasks.output(taskId)).stdout).not.toBe('');
    const pid = Number((await other.tasks.output(taskId)).stdout);
    expect(isAlive(pid)).toBe(true);
    await other.close();
    expect(isAlive(pid)).toBe(false);
  });

  it('is refused if too many are running', async () => {
    for (let count = 0; count < 20; count += 1) await start('sleep 30076', { sandboxed: false });
    const { success, output } = await tools.call('execute_command', {
      command: 'true',
      background: true,
    });
    expect({ success, output }).toEqual({
      success: false,
      output: '20 background commands are already running. Wait until one of them has ended.',
    });
  });
});
