import { spawnSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type BuiltHost, createHosts, type StartOptions } from './built-host.ts';
import { canMount, onTmpfs } from './on-tmpfs.ts';

const hosts = createHosts();
afterEach(() => hosts.cleanUp());

/** Starts a host that fails to start; returns its exit code and output. */
async function refusal(options: StartOptions): Promise<{ code: number | null; output: string }> {
  const host = await hosts.start(options);
  const { code } = await host.exited;
  expect(host.stdout()).toBe('');
  return { code, output: host.stderr() };
}

describe('a command line that cannot be followed', () => {
  it.each([
    [['--colour=red'], 'Unknown flag --colour. The README lists the flags.'],
    [['extra'], 'There is an argument that is no flag. The README lists the flags.'],
    [['--port=http'], '--port must be a number from 0 to 65535.'],
    [['--token='], 'The token must be 1 to 512 visible characters without blanks.'],
    [['--setup=POSTGRESQL'], '--setup must be one of H2, SQLITE.'],
    [['--work-dir'], '--work-dir needs a value: --work-dir=…'],
    [['--mcp', '--doctor'], '--doctor and --mcp cannot be used together.'],
    [
      ['--doctor', '--restore-backup=b.zip'],
      '--doctor changes nothing: leave --restore-snapshot and --restore-backup out.',
    ],
    [
      ['--restore-snapshot=one', '--restore-backup=b.zip'],
      '--restore-snapshot and --restore-backup cannot be used together.',
    ],
    [
      ['-Dhost.web.allow=localhost:80'],
      'host.web.allow must be a list of ip:port, such as 10.0.0.5:8080,[::1]:9000.',
    ],
  ])('%j ends with code 2 and one line', async (args, line) => {
    const host = await hosts.start({ args });
    expect(await host.exited).toEqual({ code: 2, signal: null });
    expect(host.stderr()).toBe(`${line}\n`);
    expect(host.stdout()).toBe('');
    expect(await readdir(host.workDirectory)).toEqual([]);
  });

  it('without --headless ends with code 2, since there is no Electron', async () => {
    expect(await refusal({ headless: false })).toEqual({
      code: 2,
      output:
        'A window needs Electron. Start with --headless, and --web for the shell in a browser.\n',
    });
  });

  it.each(['--restore-snapshot=none', '--restore-backup=none.zip'])(
    'with %s that is not there ends with code 2 and one line, and holds no lock',
    async (flag) => {
      const host = await hosts.start({ args: ['--port=0', '--reopen', flag] });
      expect(await host.exited).toEqual({ code: 2, signal: null });
      expect(host.stdout()).toBe('');
      expect(host.stderr()).toMatch(/^[A-Z][^\n]+\.\n$/);
      const remaining = await readdir(host.workDirectory, { recursive: true });
      expect(remaining.filter((name) => name.endsWith('host.lock'))).toEqual([]);
    },
  );

  it('that restores while a host runs here ends with code 3, also with --reopen', async () => {
    const first = await hosts.start({ args: ['--port=0', '--web'] });
    await first.value('HOST_URL');
    const { workDirectory } = first;
    const args = ['--reopen', '--web', '--restore-backup=one.zip'];
    const second = await hosts.start({ workDirectory, args });
    expect(await second.exited).toEqual({ code: 3, signal: null });
    expect(second.stdout()).toBe('');
    expect(second.stderr()).toContain(`process ${first.pid}`);
  });

  it('with a machine key of 15 characters ends with code 2, wherever it comes from [LIMIT-22]', async () => {
    const short = 'fifteen-letters';
    const expected = 'HOST_MACHINE_KEY must have at least 16 characters.\n';
    expect(await refusal({ env: { HOST_MACHINE_KEY: short } })).toEqual({
      code: 2,
      output: expected,
    });
    expect(await refusal({ args: [`-Dhost.machine.key=${short}`] })).toEqual({
      code: 2,
      output: expected,
    });
    expect(await refusal({ args: [`--host.machine.key=${short}`] })).toEqual({
      code: 2,
      output: expected,
    });
  });
});

describe('a Node that is too old', () => {
  const expected = (version: string): string =>
    `Node ${version} is too old: Node 22.12 or newer is needed. npm start brings its own.\n`;
  const pretend = (version: string): string[] => [
    '--import',
    `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`,
  ];

  it.each(['18.20.8', '20.19.0', '22.11.0', '21.99.0'])(
    'such as %s ends with code 2 and one line',
    async (version) => {
      expect(await refusal({ nodeArgs: pretend(version) })).toEqual({
        code: 2,
        output: expected(version),
      });
    },
  );

  it.each(['22.12.0', '23.0.0', '24.0.0', '100.1.0'])('is not %s', async (version) => {
    const host = await hosts.start({ nodeArgs: pretend(version), args: ['--port=0'] });
    expect(Number(await host.value('HOST_PORT'))).toBeGreaterThan(0);
  });

  const installed = spawnSync('/usr/bin/node', ['--version'], { encoding: 'utf8' });
  const version = /^v((\d+)\.(\d+)\.\d+)/.exec(installed.stdout ?? '');
  const isOld = Number(version?.[2]) * 100 + Number(version?.[3]) < 22 * 100 + 12;

  // Only on machines with an old Node: it must parse the entry far enough to print the message.
  it.runIf(isOld)('says so itself', async () => {
    expect(await refusal({ node: '/usr/bin/node' })).toEqual({
      code: 2,
      output: expected(version?.[1] ?? ''),
    });
  });
});

describe('a working directory that cannot be used', () => {
  const expectSentence = async (host: BuiltHost, folder: string): Promise<void> => {
    expect(await host.exited).toEqual({ code: 1, signal: null });
    expect(host.stdout()).toBe('');
    expect(host.stderr()).toBe(
      `The working directory ${folder} cannot be written. Choose another one with --work-dir=…\n`,
    );
  };

  it('because it is a file is named in one sentence', async () => {
    const file = join(await hosts.makeFolder(), 'file');
    await writeFile(file, '');
    await expectSentence(await hosts.start({ args: [`--work-dir=${file}`] }), file);
  });

  it.runIf(process.platform === 'linux')(
    'because the system keeps it for itself is named in one sentence',
    async () => {
      await expectSentence(await hosts.start({ args: ['--work-dir=/proc'] }), '/proc');
    },
  );

  it('because it lies below a file is named in one sentence', async () => {
    const file = join(await hosts.makeFolder(), 'file');
    await writeFile(file, '');
    const below = join(file, 'deep', 'below');
    await expectSentence(await hosts.start({ args: [`--work-dir=${below}`] }), below);
  });

  it('because a file stands where its folders should be is named in one sentence', async () => {
    const folder = await hosts.makeFolder();
    await writeFile(join(folder, '.host'), '');
    await expectSentence(await hosts.start({ args: [`--work-dir=${folder}`] }), folder);
    const other = await hosts.makeFolder();
    await mkdir(join(other, '.host'));
    await writeFile(join(other, '.host', 'config'), '');
    await expectSentence(await hosts.start({ args: [`--work-dir=${other}`] }), other);
  });

  // Even root cannot write to a read-only file system.
  it.runIf(canMount)('because it is read-only is named in one sentence', async () => {
    const folder = await hosts.makeFolder();
    const host = await hosts.start({ args: [`--work-dir=${folder}`], wrap: onTmpfs(folder, 'ro') });
    await expectSentence(host, folder);
  });

  it('is created where possible, with all folders above it', async () => {
    const folder = join(await hosts.makeFolder(), 'not', 'yet', 'there');
    const host = await hosts.start({ args: ['--port=0', `--work-dir=${folder}`] });
    await host.value('HOST_PORT');
    expect(await readdir(folder)).toEqual(['.host']);
  });
});
