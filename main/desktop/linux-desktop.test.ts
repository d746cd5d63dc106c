import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hostPaths } from '../../service/app/index.ts';
import { LockedError, takeLock } from '../instance-lock.ts';
import { app, asked, emitReady, resetElectron } from '../testing/stand-in/electron.ts';
import { followAutostart } from './autostart.ts';
import { applyEarlySettings, keepEarlySettings } from './early-settings.ts';
import { hasTrayHost } from './tray-host.ts';
import { moveOldData, userDataDirectory } from './user-data.ts';

vi.mock('electron', () => import('../testing/stand-in/electron.ts'));

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linux-desktop-'));
  resetElectron();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('starting with the session', () => {
  const file = (): string => join(folder, 'autostart', 'plugin-host.desktop');
  const follow = (openAtLogin: boolean, program: string, more: NodeJS.ProcessEnv = {}) =>
    followAutostart(openAtLogin, {
      platform: 'linux',
      environment: { XDG_CONFIG_HOME: folder, ...more },
      program,
    });

  it('is an entry of the user on Linux, where Electron does nothing, and goes again', async () => {
    await follow(true, '/opt/Plugin Host/plugin-host');
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

describe('whether a tray shows icons', () => {
  const answers = (byProgram: Record<string, string>) => (program: string) =>
    program in byProgram
      ? Promise.resolve(byProgram[program] ?? '')
      : Promise.reject(new Error('ENOENT'));

  it.each([
    [true, { gdbus: '(<true>,)\n' }],
    [true, { busctl: 'b true\n' }],
    [false, { gdbus: '(<false>,)\n', busctl: 'b false\n' }],
    [false, {}],
  ])('is %j where the bus says %j', async (has, value) => {
    expect(await hasTrayHost('linux', answers(value))).toBe(has);
  });

  it('is a matter of course elsewhere', async () => {
    expect(await hasTrayHost('win32', answers({}))).toBe(true);
    expect(await hasTrayHost('darwin', answers({}))).toBe(true);
  });
});

describe('drawing without the graphics card', () => {
  it('is known before Electron is ready, from the last time it was set', async () => {
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

  it('is not wanted by a file that is damaged, nor too late', async () => {
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
  it('are where the lite package keeps them, on Linux', () => {
    expect(userDataDirectory('linux', { XDG_DATA_HOME: '/data' })).toBe('/data/plugin-host');
    expect(userDataDirectory('linux', { XDG_DATA_HOME: 'data' })).toMatch(
      /\/\.local\/share\/plugin-host$/,
    );
    app.setPath('userData', '/profile');
    expect(userDataDirectory('win32', {})).toBe('/profile');
  });

  it('are moved once from where an older version kept them', async () => {
    const [from, to] = [join(folder, 'old'), join(folder, 'share', 'plugin-host')];
    await mkdir(join(from, '.host', 'config'), { recursive: true });
    await writeFile(join(from, '.host', 'config', '.machineid'), 'id');
    await mkdir(join(from, 'Cache'));
    expect(await moveOldData(from, to)).toBe(from);
    expect(await readdir(from)).toEqual(['Cache']);
    expect(await readFile(join(to, '.host', 'config', '.machineid'), 'utf8')).toBe('id');
    expect(await moveOldData(from, to)).toBeNull();
  });

  it('stay where both have some, and while a host runs on them', async () => {
    const [from, to] = [join(folder, 'old'), join(folder, 'new')];
    for (const directory of [from, to]) await mkdir(join(directory, '.host'), { recursive: true });
    expect(await moveOldData(from, to)).toBeNull();
    await rm(join(to, '.host'), { recursive: true });
    const lock = await takeLock(join(from, '.host'));
    await expect(moveOldData(from, to)).rejects.toBeInstanceOf(LockedError);
    await lock.release();
    expect(await readdir(to)).toEqual([]);
  });
});
