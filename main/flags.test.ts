import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LaunchFlags, readFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

const secret = 'tr0ub4dor-and-3';
const key = 'a-machine-key-of-enough-length';

const nothing: LaunchFlags = {
  headless: false,
  port: null,
  token: null,
  machineKey: null,
  workDirectory: null,
  web: false,
  setup: null,
  logLevel: null,
  reopen: false,
  doctor: false,
  stop: false,
  mcp: false,
  restore: {},
  properties: {
    catalogUrl: null,
    mcpServersFile: null,
    otlpMetricsUrl: null,
    otlpTracesUrl: null,
    h2Jar: null,
    browserPath: null,
    computerDisplay: null,
    webAllow: [],
    allowedHosts: [],
    cluster: null,
  },
};

function refusal(args: string[], environment: NodeJS.ProcessEnv = {}): string {
  try {
    readFlags(args, environment);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error(`${args.join(' ')} was taken`);
}

describe('the flags of a start', () => {
  it.each<[string[], Partial<LaunchFlags>]>([
    [[], {}],
    [['--headless'], { headless: true }],
    [['--port=0'], { port: 0 }],
    [['--port=1'], { port: 1 }],
    [['--port=24056'], { port: 24_056 }],
    [['--port=65535'], { port: 65_535 }],
    [['--port=1', '--port=2'], { port: 2 }],
    [[`--token=${secret}`], { token: secret }],
    [['--token=a=b=='], { token: 'a=b==' }],
    [[`--token=${'x'.repeat(512)}`], { token: 'x'.repeat(512) }],
    [['--work-dir=/srv/host'], { workDirectory: '/srv/host' }],
    [['--work-dir=/srv/../srv/a b'], { workDirectory: '/srv/a b' }],
    [['--work-dir=below'], { workDirectory: join(process.cwd(), 'below') }],
    [['--headless', '--web'], { headless: true, web: true }],
    [['--web', '--headless'], { headless: true, web: true }],
    [['--setup=SQLITE'], { setup: 'SQLITE' }],
    [['--setup=sqlite'], { setup: 'SQLITE' }],
    [['--setup=H2'], { setup: 'H2' }],
    [['--log-level=TRACE'], { logLevel: 'TRACE' }],
    [['--log-level=off'], { logLevel: 'OFF' }],
    [['--reopen'], { reopen: true }],
    [['--doctor'], { doctor: true }],
    [['--headless', '--doctor'], { headless: true, doctor: true }],
    [['--mcp'], { mcp: true }],
    [
      ['--restore-snapshot=4.0.0-beta.4_2026-01-31'],
      { restore: { snapshot: '4.0.0-beta.4_2026-01-31' } },
    ],
    [['--restore-backup=/srv/a b.zip'], { restore: { backup: '/srv/a b.zip' } }],
    [['--restore-backup=b.zip'], { restore: { backup: join(process.cwd(), 'b.zip') } }],
    [[`-Dhost.auth.token=${secret}`], { token: secret }],
    [[`--host.auth.token=${secret}`], { token: secret }],
    [[`-Dhost.machine.key=${key}`], { machineKey: key }],
    [[`--host.machine.key=${key}`], { machineKey: key }],
    [[`-DHOST_MACHINE_KEY=${key}`], { machineKey: key }],
    [['-Dhost.machine.key=sixteen letters!'], { machineKey: 'sixteen letters!' }],
  ])('%j are understood', (args, expected) => {
    expect(readFlags(args, {})).toEqual({ ...nothing, ...expected });
  });

  it('are read from the environment where the command line says nothing', () => {
    const environment = { HOST_AUTH_TOKEN: secret, HOST_MACHINE_KEY: key, HOST_PORT: '5' };
    expect(readFlags([], environment)).toEqual({ ...nothing, token: secret, machineKey: key });
  });

  const bySource = {
    token: { d: '-Dhost.auth.token=', dash: '--host.auth.token=', env: 'HOST_AUTH_TOKEN' },
    machineKey: { d: '-Dhost.machine.key=', dash: '--host.machine.key=', env: 'HOST_MACHINE_KEY' },
  } as const;
  it.each(['token', 'machineKey'] as const)(
    'take the %s from -D before --, and from -- before the environment',
    (name) => {
      const { d, dash, env } = bySource[name];
      const environment = { [env]: 'from-environment' };
      const fromD = `${d}from-the-property`;
      const fromDash = `${dash}from-the-command-line`;
      expect(readFlags([fromD, fromDash], environment)[name]).toBe('from-the-property');
      expect(readFlags([fromDash, fromD], environment)[name]).toBe('from-the-property');
      expect(readFlags([fromDash], environment)[name]).toBe('from-the-command-line');
      expect(readFlags([], environment)[name]).toBe('from-environment');
    },
  );

  it('take the token from --token before the environment [LAUNCH-08]', () => {
    expect(readFlags([`--token=${secret}`], { HOST_AUTH_TOKEN: 'other' }).token).toBe(secret);
  });
});

describe('switches of Chromium', () => {
  it.each([
    '--disable-gpu',
    '--enable-wayland-ime',
    '--ozone-platform=x11',
    '--ozone-platform-hint=auto',
    '--force-device-scale-factor=1.5',
    '--password-store=gnome-libsecret',
    '--gtk-version=4',
    '--xdg-portal-required-version=999',
  ])('%s does not change the host, with a window and without', (flag) => {
    expect(readFlags([flag], {})).toEqual(readFlags([], {}));
    expect(readFlags(['--headless', flag], {})).toEqual(readFlags(['--headless'], {}));
  });

  it.each([
    '--no-sandbox',
    '--disable-gpu=1',
    '--ozone-platform',
    '--ozone-platform=a b',
    '--remote-debugging-port=1',
  ])('%s is refused', (flag) => {
    expect(() => readFlags([flag], {})).toThrow(UsageError);
  });
});

describe('a command line that cannot be followed', () => {
  it.each([
    [['--port=-1'], '--port must be a number from 0 to 65535.'],
    [['--port=65536'], '--port must be a number from 0 to 65535.'],
    [['--port=99999'], '--port must be a number from 0 to 65535.'],
    [['--port=100000'], '--port must be a number from 0 to 65535.'],
    [['--port='], '--port must be a number from 0 to 65535.'],
    [['--port=0x10'], '--port must be a number from 0 to 65535.'],
    [['--port=1e3'], '--port must be a number from 0 to 65535.'],
    [['--port= 80'], '--port must be a number from 0 to 65535.'],
    [['--port=80 '], '--port must be a number from 0 to 65535.'],
    [['--port=８０'], '--port must be a number from 0 to 65535.'],
    [['--port'], '--port needs a value: --port=…'],
    [['--port', '80'], '--port needs a value: --port=…'],
    [['--work-dir='], '--work-dir must name a folder.'],
    [['--work-dir=a\0b'], '--work-dir must name a folder.'],
    [['--work-dir'], '--work-dir needs a value: --work-dir=…'],
    [['--web'], '--web needs --headless.'],
    [['--web=true', '--headless'], '--web takes no value.'],
    [['--headless=false'], '--headless takes no value.'],
    [['--headless='], '--headless takes no value.'],
    [['--reopen=1'], '--reopen takes no value.'],
    [['--doctor=1'], '--doctor takes no value.'],
    [['--mcp='], '--mcp takes no value.'],
    [['--restore-snapshot'], '--restore-snapshot needs a value: --restore-snapshot=…'],
    [['--restore-snapshot='], '--restore-snapshot must be the name of a snapshot.'],
    [['--restore-snapshot=../x'], '--restore-snapshot must be the name of a snapshot.'],
    [['--restore-snapshot=a/b'], '--restore-snapshot must be the name of a snapshot.'],
    [['--restore-snapshot=.'], '--restore-snapshot must be the name of a snapshot.'],
    [['--restore-backup='], '--restore-backup must name a file.'],
    [['--restore-backup=a\0b'], '--restore-backup must name a file.'],
    [
      ['--restore-backup=b.zip', '--restore-snapshot=one'],
      '--restore-snapshot and --restore-backup cannot be used together.',
    ],
    [
      ['--doctor', '--restore-snapshot=one'],
      '--doctor changes nothing: leave --restore-snapshot and --restore-backup out.',
    ],
    [
      ['--restore-backup=b.zip', '--doctor'],
      '--doctor changes nothing: leave --restore-snapshot and --restore-backup out.',
    ],
    [['--doctor', '--mcp'], '--doctor and --mcp cannot be used together.'],
    [['--setup='], '--setup must be one of H2, SQLITE.'],
    [['--setup=MYSQL'], '--setup must be one of H2, SQLITE.'],
    [['--setup=oracle'], '--setup must be one of H2, SQLITE.'],
    [['--setup'], '--setup needs a value: --setup=…'],
    [['--log-level=loud'], '--log-level must be one of TRACE, DEBUG, INFO, WARN, ERROR, OFF.'],
    [['--log-level='], '--log-level must be one of TRACE, DEBUG, INFO, WARN, ERROR, OFF.'],
    [['--token'], '--token needs a value: --token=…'],
    [['-Dhost.auth.token'], '-Dhost.auth.token needs a value: -Dhost.auth.token=…'],
    [['--host.machine.key'], '--host.machine.key needs a value: --host.machine.key=…'],
    [['--colour=red'], 'Unknown flag --colour. The README lists the flags.'],
    [['--Port=1'], 'Unknown flag --Port. The README lists the flags.'],
    [['--doctors'], 'Unknown flag --doctors. The README lists the flags.'],
    [['-port=1'], 'Unknown flag -port. The README lists the flags.'],
    [['-Dport=1'], 'Unknown flag -Dport. The README lists the flags.'],
    [['-Dfile.encoding=x'], 'Unknown flag -Dfile.encoding. The README lists the flags.'],
    [['port=1'], 'There is an argument that is no flag. The README lists the flags.'],
    [['--'], 'There is an argument that is no flag. The README lists the flags.'],
    [['-'], 'There is an argument that is no flag. The README lists the flags.'],
    [[''], 'There is an argument that is no flag. The README lists the flags.'],
    [['--=x'], 'There is an argument that is no flag. The README lists the flags.'],
  ])('%j is refused in one sentence', (args, message) => {
    expect(refusal(args)).toBe(message);
  });

  it.each([
    ['empty', ''],
    ['with a blank', `${secret} x`],
    ['with a line break', `${secret}\nx`],
    ['beyond ASCII', `${secret}é`],
    ['of 513 characters', 'x'.repeat(513)],
  ])('has a token %s, wherever it comes from', (_what, token) => {
    const message = 'The token must be 1 to 512 visible characters without blanks.';
    expect(refusal([`--token=${token}`])).toBe(message);
    expect(refusal([`-Dhost.auth.token=${token}`])).toBe(message);
    expect(refusal([`--host.auth.token=${token}`])).toBe(message);
    expect(refusal([], { HOST_AUTH_TOKEN: token })).toBe(message);
  });

  it('has a machine key of less than 16 characters, wherever it comes from [LIMIT-22]', () => {
    const message = 'HOST_MACHINE_KEY must have at least 16 characters.';
    for (const short of ['', 'x', 'fifteen-letters']) {
      expect(refusal([`-Dhost.machine.key=${short}`])).toBe(message);
      expect(refusal([`--host.machine.key=${short}`])).toBe(message);
      expect(refusal([], { HOST_MACHINE_KEY: short })).toBe(message);
    }
  });

  it.each([
    ['after a blank in place of =', ['--token', secret]],
    ['alone', [secret]],
    ['run together with its flag', [`--token${secret}`]],
    ['behind a colon', [`--token:${secret}`]],
    ['behind an unknown flag', [`--tokens=${secret}`]],
    ['behind a single dash', [`-token=${secret}`]],
    ['behind an unknown property', [`-Dhost.auth.tokens=${secret}`]],
    ['behind a property without =', [`-Dhost.auth.token:${secret}`]],
    ['behind a switch', [`--headless=${secret}`]],
    ['as a port', [`--port=${secret}`]],
    ['as a level', [`--log-level=${secret}`]],
    ['as a database', [`--setup=${secret}`]],
    ['with a line break', [`--token=${secret}\n`]],
    ['as a short machine key', ['-Dhost.machine.key=tr0ub4dor-and-']],
  ])('never has a secret in its message that was given %s', (_how, args) => {
    const message = refusal(['--headless', ...args]);
    expect(message).not.toContain('tr0ub4dor');
    expect(message).not.toContain('\n');
  });

  it('is reported in a line of ordinary length, however long it is', () => {
    for (const arg of [
      `--${'a'.repeat(1_000_000)}`,
      'a'.repeat(1_000_000),
      `--a=${'\n'.repeat(99)}`,
    ])
      expect(refusal([arg])).toMatch(/^[^\n]{10,120}$/);
  });
});
