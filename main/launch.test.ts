import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { takeLock } from './instance-lock.ts';
import { launch } from './launch.ts';
import { app, asked, emitReady, resetElectron } from './testing/stand-in/electron.ts';

vi.mock('electron', () => import('./testing/stand-in/electron.ts'));

const argv = process.argv;
let printed: string[] = [];
let exits: unknown[] = [];

beforeEach(() => {
  printed = [];
  exits = [];
  vi.spyOn(process, 'exit').mockImplementation((code) => void exits.push(code) as never);
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text, done?: unknown) => {
      printed.push(String(text));
      if (typeof done === 'function') (done as () => void)();
      return true;
    });
});
afterEach(() => {
  process.argv = argv;
  vi.restoreAllMocks();
});

describe('a start on plain Node', () => {
  it('without --headless ends with code 2, since a window needs Electron', async () => {
    process.argv = ['node', '.'];
    await launch();
    expect(exits).toEqual([2]);
    expect(printed).toEqual([
      'A window needs Electron. Start with --headless, and --web for the shell in a browser.\n',
    ]);
  });

  it('forgets the secrets of its environment, so that no child gets them', async () => {
    process.env['HOST_AUTH_TOKEN'] = 'secret-token';
    process.env['HOST_MACHINE_KEY'] = 'secret-key-of-enough-length';
    process.argv = ['node', '.'];
    await launch();
    expect(process.env['HOST_AUTH_TOKEN']).toBeUndefined();
    expect(process.env['HOST_MACHINE_KEY']).toBeUndefined();
  });
});

describe('a start under Electron', () => {
  let workDirectory = '';

  beforeEach(async () => {
    resetElectron();
    workDirectory = await mkdtemp(join(tmpdir(), 'launch-'));
    Object.defineProperty(process.versions, 'electron', { value: '45.0.0', configurable: true });
    Object.defineProperty(process, 'defaultApp', { value: true, configurable: true });
  });
  afterEach(async () => {
    Reflect.deleteProperty(process.versions, 'electron');
    Reflect.deleteProperty(process, 'defaultApp');
    await rm(workDirectory, { recursive: true, force: true });
  });

  it('does not wait for Electron, which is ready only after its entry has been run', async () => {
    process.argv = ['electron', '.', '--port=0', '--setup=SQLITE', `--work-dir=${workDirectory}`];
    await launch();
    expect(asked.schemes).toHaveLength(1);
    expect(asked.windows).toEqual([]);
    emitReady();
    await expect.poll(() => asked.windows.map(({ loaded }) => loaded)).toEqual([['app://shell/']]);
    app.emit('window-all-closed');
    await expect.poll(() => asked.exits).toEqual([0]);
    expect(exits).toEqual([]);
  });

  it('ends with a sentence when it fails after Electron is ready', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    process.argv = ['electron', '.', `--port=${port}`, `--work-dir=${workDirectory}`];
    await launch();
    emitReady();
    await expect.poll(() => exits).toEqual([1]);
    expect(printed).toEqual([`The port ${port} is taken. Choose another one or --port=0.\n`]);
    other.close();
  });

  const failure = (): unknown[] => asked.dialogs.map(([, options]) => options);
  const locked = async (): Promise<void> => {
    const lock = await takeLock(join(workDirectory, '.host'));
    process.argv = ['electron', '.', '--port=0', `--work-dir=${workDirectory}`];
    await launch();
    emitReady();
    await expect.poll(() => exits).toEqual([3]);
    await lock.release();
  };

  it('shows why it does not start, in the language of the person who opened it from a menu', async () => {
    await mkdir(join(workDirectory, '.host'));
    app.locale = 'zh-CN';
    await locked();
    expect(failure()).toEqual([
      {
        type: 'error',
        message: 'Plugin Host 无法启动',
        signal: expect.anything() as object,
        detail: expect.stringMatching(/^此工作目录中已有主机在运行：进程 \d+。$/) as string,
      },
    ]);
  });

  it('tells whoever opened an AppImage that its system allows no sandbox, and opens nothing', async () => {
    Reflect.deleteProperty(process, 'defaultApp');
    vi.stubEnv('APPIMAGE', '/downloads/plugin-host.AppImage');
    app.isPackaged = true;
    app.switches.add('no-sandbox');
    app.locale = 'zh-CN';
    process.argv = ['plugin-host', '--no-sandbox', `--work-dir=${workDirectory}`];
    await launch();
    emitReady();
    await expect.poll(() => exits).toEqual([2]);
    vi.unstubAllEnvs();
    expect(failure()).toMatchObject([{ detail: expect.stringContaining('沙箱') as string }]);
    expect(printed.join('')).toMatch(
      /^Plugin Host needs Chromium's sandbox, .* deb or rpm package/,
    );
    expect([asked.windows, asked.schemes]).toEqual([[], []]);
  });

  it('takes a switch without the sandbox from an AppImage alone', async () => {
    Reflect.deleteProperty(process, 'defaultApp');
    process.argv = ['plugin-host', '--no-sandbox'];
    await launch();
    expect(exits).toEqual([2]);
    expect(printed.join('')).toContain('--no-sandbox');
  });

  it('shows nothing beside an existing window', async () => {
    await mkdir(join(workDirectory, '.host'));
    app.isFirst = false;
    await locked();
    expect(failure()).toEqual([]);
  });

  it('inspects the folder of the desktop with --doctor, and opens nothing', async () => {
    process.argv = ['electron', '.', '--doctor'];
    vi.stubEnv('XDG_DATA_HOME', '/nowhere');
    await launch();
    vi.unstubAllEnvs();
    expect(exits).toHaveLength(1);
    expect([0, 1]).toContain(exits[0]);
    const folder = process.platform === 'linux' ? '/nowhere/plugin-host' : '/nowhere/userData';
    expect(printed.join('')).toContain(`${folder}\n`);
    expect(asked.windows).toEqual([]);
    expect(asked.schemes).toEqual([]);
  });

  it('reads the flags of a packaged app, which has no script argument, from the first on', async () => {
    Reflect.deleteProperty(process, 'defaultApp');
    process.argv = ['plugin-host', '--colour=red'];
    await launch();
    expect(exits).toEqual([2]);
    expect(printed).toEqual(['Unknown flag --colour. The README lists the flags.\n']);
  });
});
