import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readMachineId } from '../../service/app/index.ts';
import { asked, emitReady, resetElectron } from '../testing/stand-in/electron.ts';
import { hasKeyring, MachineKey } from './machine-key.ts';

vi.mock('electron', () => import('../testing/stand-in/electron.ts'));

const id = 'the-id-of-this-machine';
let folder = '';
let file = '';
let key: MachineKey;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'machine-key-'));
  file = join(folder, '.machineid');
  await writeFile(file, `${id}\n`, { mode: 0o600 });
  resetElectron();
  emitReady();
  asked.keyring = 'open';
  key = new MachineKey(file);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the key of the machine', () => {
  it('is in its file by default', async () => {
    expect(await key.open()).toBeNull();
    await key.keepInKeyring(false);
    expect(await readdir(folder)).toEqual(['.machineid']);
  });

  it('is moved to the keyring, opened from there, and moved back into its file', async () => {
    await key.keepInKeyring(true);
    expect(await readdir(folder)).toEqual(['.machineid.sealed']);
    expect(await readFile(join(folder, '.machineid.sealed'), 'utf8')).not.toContain(id);
    expect((await stat(join(folder, '.machineid.sealed'))).mode & 0o777).toBe(0o600);
    expect(await new MachineKey(file).open()).toBe(id);
    await key.keepInKeyring(false);
    expect(await readdir(folder)).toEqual(['.machineid']);
    expect(await readMachineId(file)).toBe(id);
  });

  it('is never replaced by another one: without the desktop the error says how to restore it', async () => {
    await key.keepInKeyring(true);
    await expect(readMachineId(file)).rejects.toThrow(
      /settings of the desktop app, or set HOST_MACHINE_KEY/,
    );
    expect(await readdir(folder)).toEqual(['.machineid.sealed']);
  });

  it('in a locked keyring causes an error that says what to do', async () => {
    await key.keepInKeyring(true);
    asked.keyring = 'locked';
    await expect(key.open()).rejects.toThrow(/Unlock the keyring/);
    await expect(key.keepInKeyring(false)).rejects.toThrow(/Unlock the keyring/);
    expect(await readdir(folder)).toEqual(['.machineid.sealed']);
  });

  it('that was restored by hand takes precedence over the sealed one', async () => {
    await key.keepInKeyring(true);
    await writeFile(file, 'put-back-by-hand');
    expect(await key.open()).toBeNull();
  });

  it.each([null, 'locked'] as const)('stays in its file where the keyring is %s', async (state) => {
    asked.keyring = state;
    await expect(key.keepInKeyring(true)).rejects.toThrow('no keyring');
    expect(await readMachineId(file)).toBe(id);
  });
});

it('on Linux does not use fallbacks of a keyring', async () => {
  expect(await hasKeyring()).toBe(true);
  asked.keyring = null;
  expect(await hasKeyring()).toBe(process.platform !== 'linux');
});
