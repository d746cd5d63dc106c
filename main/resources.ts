import { join } from 'node:path';
import type { Resources } from '../service/app/index.ts';

/** Path of the plugin kit's command line program. */
export const kitProgram = (): string =>
  join(builtResources(false).kit, 'bin', 'plugin-host-plugin.mjs');

/** The icon is beside the built entry, or among the sources. */
export function trayIcon(): string {
  const root = join(import.meta.dirname, '..');
  const folder = import.meta.filename.endsWith('.ts') ? join(root, 'packaging', 'icons') : root;
  return join(folder, '32x32.png');
}

/**
 * Returns the paths of the built files beside the built entry: `dist/main/…` next to
 * `dist/renderer-shell/` and others. A start from the sources uses the same files.
 */
export function builtResources(serveShell: boolean): Resources {
  const root = join(import.meta.dirname, '..');
  const built = import.meta.filename.endsWith('.ts') ? join(root, 'dist') : root;
  return {
    shell: serveShell ? join(built, 'renderer-shell') : null,
    bridge: join(built, 'plugin-client'),
    answerFrame: join(built, 'answer-frame'),
    plugins: join(built, 'plugins'),
    shellGrammars: join(built, 'shell-grammars'),
    // Plain Node cannot read asar archives.
    kit: join(built.replace('app.asar', 'app.asar.unpacked'), 'kit'),
    // Java cannot read asar archives; packages unpack these files beside the archive.
    h2Bridge: join(built.replace('app.asar', 'app.asar.unpacked'), 'h2-bridge'),
  };
}
