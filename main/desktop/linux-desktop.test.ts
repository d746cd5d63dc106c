import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hostPaths } from '../../service/app/index.ts';
import { LockedError, takeLock } from '../instance-lock.ts';
import { app, asked, emitReady, resetElectron } from '../testing/stand-in/electron.ts';
import { followAutostart } from './autostart.ts';
import { applyEarlySettings, keepEarlySettings } from './early-settings.ts';
import { isInTray } from './tray-host.ts';
import { moveOldData, userDataDirectory } from './user-data.ts';

vi.mock('electron', () => import('../testing/stand-in/electron.ts'));

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linux-desktop-'));
  resetElectron();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('starting with the session', () => {
  const file = (): string => join(folder, 'autostart', 'org.pluginhost.PluginHost.desktop');
  const follow = (openAtLogin: boolean, program: string, more: NodeJS.ProcessEnv = {}) =>
    followAutostart(openAtLogin, {
      platform: 'linux',
      environment: { XDG_CONFIG_HOME: folder, ...more },
      program,
    });

  it('is an entry of the user on Linux, where Electron does nothing, and is removed again', async () => {
    await mkdir(join(folder, 'autostart'));
    // The name in an older version.
    await writeFile(join(folder, 'autostart', 'plugin-host.desktop'), '');
    await follow(true, '/opt/Plugin Host/plugin-host');
    expect(await readdir(join(folder, 'autostart'))).toEqual(['org.pluginhost.PluginHost.desktop']);
    const entry = await readFile(file(), 'utf8');
    expect(entry).toMatch(/^\[Desktop Entry\]\nType=Application\nName=Plugin Host\n/);
    expect(entry).toContain('\nExec="/opt/Plugin Host/plugin-host"\n');
    await follow(false, '/opt/Plugin Host/plugin-host');
    await follow(false, '/opt/Plugin Host/plugin-host');
    expect(await readdir(join(folder, 'autostart'))).toEqual([]);
    expect(asked.loginItems).toEqual([]);
  });

  it.each([
    ['/a$b/c', {}, String.raw`Exec="/a\\$b/c"`],
    ['/a%b/c"d', {}, String.raw`Exec="/a%%b/c\\"d"`],
    [
      '/tmp/.mount_x/plugin-host',
      { APPIMAGE: '/home/a/Host.AppImage' },
      'Exec="/home/a/Host.AppImage"',
    ],
  ])('%s is quoted as the desktop reads it', async (program, more, line) => {
    await follow(true, program, more);
    expect((await readFile(file(), 'utf8')).split('\n')).toContain(line);
  });
});

describe('whether a tray shows the icon of this process', () => {
  const own = 4_242;
  /** Prints what `busctl` and `gdbus` answer; null if the bus does not answer. */
  const session =
    (program: 'gdbus' | 'busctl', host: boolean, items: Record<string, number> | null) =>
    (asked: string, args: string[]): Promise<string> => {
      const called = args.at(-1) ?? '';
      const names = Object.keys(items ?? {});
      const [isHost, list, process] =
        program === 'gdbus'
          ? [`(<${host}>,)`, `(<[${names.map((name) => `'${name}'`).join(', ')}]>,)`, '(uint32 #,)']
          : [
              `b ${host}`,
              `as ${names.length} ${names.map((name) => `"${name}"`).join(' ')}`,
              'u #',
            ];
      const owner = names.find((name) => name.startsWith(called));
      const answer =
        called === 'IsStatusNotifierHostRegistered'
          ? isHost
          : called === 'RegisteredStatusNotifierItems'
            ? items && list
            : owner && process.replace('#', String(items?.[owner]));
      return asked === program && answer
        ? Promise.resolve(`${answer}\n`)
        : Promise.reject(new Error('The name is not activatable'));
    };

  describe.each(['gdbus', 'busctl'] as const)('asked with %s', (program) => {
    it.each([
      ['its own name', true, true, { 'org.kde.StatusNotifierItem-7-1/StatusNotifierItem': own }],
      ['its connection', true, true, { ':1.7@/StatusNotifierItem': 9, ':1.8/item': own }],
      ['a name alone', true, true, { ':1.8': own }],
      ['none, since the tray refused it', false, true, {}],
      ['the icons of others', false, true, { ':1.7@/StatusNotifierItem': 9 }],
      ['itself, but nothing shows them', false, false, { ':1.8': own }],
      ['no answer', false, true, null],
    ])('is answered by the list: %s', async (_, isVisible, host, items) => {
      expect(await isInTray('linux', own, session(program, host, items))).toBe(isVisible);
    });
  });

  it('is false if neither program is installed', async () => {
    expect(await isInTray('linux', own, () => Promise.reject(new Error('ENOENT')))).toBe(false);
  });

  it('is always true on other systems', async () => {
    const nobody = (): Promise<string> => Promise.reject(new Error('ENOENT'));
    expect(await isInTray('win32', own, nobody)).toBe(true);
    expect(await isInTray('darwin', own, nobody)).toBe(true);
  });
});

describe('drawing without the graphics card', () => {
  it('is applied before Electron is ready, from the last setting', async () => {
    const paths = hostPaths(folder);
    await mkdir(paths.config, { recursive: true });
    await keepEarlySettings(paths, { disableGpu: false });
    expect(await readdir(paths.config)).toEqual([]);
    await keepEarlySettings(paths, { disableGpu: true });
    await applyEarlySettings(paths);
    expect(asked.gpuDisabled).toBe(true);
    resetElectron();
    await keepEarlySettings(paths, { disableGpu: false });
    await applyEarlySettings(paths);
    expect(asked.gpuDisabled).toBe(false);
  });

  it('is ignored if the file is damaged, or Electron is ready', async () => {
    const paths = hostPaths(folder);
    await mkdir(paths.config, { recursive: true });
    await writeFile(join(paths.config, 'desktop.json'), '{"disableGpu"');
    await applyEarlySettings(paths);
    expect(asked.gpuDisabled).toBe(false);
    emitReady();
    expect(() => app.disableHardwareAcceleration()).toThrow('before app is ready');
  });
});

describe('the data of the user', () => {
  it("are in the lite package's folder on Linux", () => {
    expect(userDataDirectory('linux', { XDG_DATA_HOME: '/data' })).toBe('/data/plugin-host');
    expect(userDataDirectory('linux', { XDG_DATA_HOME: 'data' })).toMatch(
      /\/\.local\/share\/plugin-host$/,
    );
    app.setPath('userData', '/profile');
    expect(userDataDirectory('win32', {})).toBe('/profile');
  });

  it('are moved once from the folder of an older version', async () => {
    const [from, to] = [join(folder, 'old'), join(folder, 'share', 'plugin-host')];
    await mkdir(join(from, '.host', 'config'), { recursive: true });
    await writeFile(join(from, '.host', 'config', '.machineid'), 'id');
    await mkdir(join(from, 'Cache'));
    expect(await moveOldData(from, to)).toBe(from);
    expect(await readdir(from)).toEqual(['Cache']);
    expect(await readFile(join(to, '.host', 'config', '.machineid'), 'utf8')).toBe('id');
    expect(await moveOldData(from, to)).toBeNull();
  });

  it('stay if both folders have some, or a host uses them', async () => {
    const [from, to] = [join(folder, 'old'), join(folder, 'new')];
    for (const folder of [from, to]) await mkdir(join(folder, '.host'), { recursive: true });
    expect(await moveOldData(from, to)).toBeNull();
    await rm(join(to, '.host'), { recursive: true });
    const lock = await takeLock(join(from, '.host'));
    await expect(moveOldData(from, to)).rejects.toBeInstanceOf(LockedError);
    await lock.release();
    expect(await readdir(to)).toEqual([]);
  });
});
