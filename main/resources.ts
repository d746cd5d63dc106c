import { join } from 'node:path';
import type { Resources } from '../service/app/index.ts';

/** The command line of the plugin kit. */
export const kitProgram = (): string =>
  join(builtResources(false).kit, 'bin', 'plugin-host-plugin.mjs');

/** Beside the built entry, or among the sources. */
export function trayIcon(): string {
  const root = join(import.meta.dirname, '..');
  const folder = import.meta.filename.endsWith('.ts') ? join(root, 'packaging', 'icons') : root;
  return join(folder, '32x32.png');
}

/**
 * Built files lie beside the built entry: `dist/main/…` next to `dist/renderer-shell/` and the
 * others. The sources use them as well.
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
    // Plain Node reads no asar archive either.
    kit: join(built.replace('app.asar', 'app.asar.unpacked'), 'kit'),
    // Java reads no asar archive; the packages carry these files unpacked beside it.
    h2Bridge: join(built.replace('app.asar', 'app.asar.unpacked'), 'h2-bridge'),
  };
}
