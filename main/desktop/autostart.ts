import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import writeFileAtomic from 'write-file-atomic';

/** Same file name as the menu entry of the packages. */
const name = 'org.pluginhost.PluginHost.desktop';
/**
 * File name in versions up to 4.0.0-beta.4. It is removed, as two entries would start the app
 * twice.
 */
const oldName = 'plugin-host.desktop';

/**
 * Turns the start at login on or off. On Linux this writes an autostart entry; elsewhere Electron
 * does it.
 */
export async function followAutostart(
  openAtLogin: boolean,
  {
    platform = process.platform,
    environment = process.env,
    program = process.execPath,
  }: { platform?: NodeJS.Platform; environment?: NodeJS.ProcessEnv; program?: string } = {},
): Promise<void> {
  if (platform !== 'linux') return app.setLoginItemSettings({ openAtLogin });
  const folder = join(environment['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'autostart');
  await rm(join(folder, oldName), { force: true });
  if (!openAtLogin) return rm(join(folder, name), { force: true });
  await mkdir(folder, { recursive: true });
  // An AppImage runs from a mount point that changes with each start, so the entry names the image
  // itself.
  const path = environment['APPIMAGE'] || program;
  await writeFileAtomic(join(folder, name), entryOf(path), { mode: 0o644 });
}

/** Quotes the command as the desktop entry specification requires for `Exec`. */
function entryOf(path: string): string {
  const quoted = path.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%');
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Plugin Host',
    `Exec="${quoted.replaceAll('\\', '\\\\')}"`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
}
