import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { app } from 'electron';
import writeFileAtomic from 'write-file-atomic';

/** As the menu entry of the packages. */
const name = 'org.pluginhost.PluginHost.desktop';
/** Of versions up to 4.0.0-beta.4; both would start the app twice. */
const oldName = 'plugin-host.desktop';

/** Starts the app with the session of the user, or no more. Electron does that everywhere but on Linux. */
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
  // An AppImage runs from a place that is made anew with each start.
  const path = environment['APPIMAGE'] || program;
  await writeFileAtomic(join(folder, name), entryOf(path), { mode: 0o644 });
}

/** As the desktop entry specification quotes what is run. */
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
