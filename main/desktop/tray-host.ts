import { execFile } from 'node:child_process';

const watcher = 'org.kde.StatusNotifierWatcher';
const limitMs = 2_000;

/** Programs that ask the session bus for a property; one of them is on nearly every desktop. */
const asks: [program: string, args: string[]][] = [
  [
    'gdbus',
    [
      'call',
      '--session',
      '--dest',
      watcher,
      '--object-path',
      '/StatusNotifierWatcher',
      '--method',
      'org.freedesktop.DBus.Properties.Get',
      watcher,
      'IsStatusNotifierHostRegistered',
    ],
  ],
  [
    'busctl',
    [
      '--user',
      'get-property',
      watcher,
      '/StatusNotifierWatcher',
      watcher,
      'IsStatusNotifierHostRegistered',
    ],
  ],
];

/**
 * Whether something shows icons in a tray. Electron makes one without an error where nothing does; a
 * window that hides then could not be brought back. False also where nobody can be asked.
 */
export async function hasTrayHost(
  platform: NodeJS.Platform = process.platform,
  ask: (program: string, args: string[]) => Promise<string> = run,
): Promise<boolean> {
  if (platform !== 'linux') return true;
  for (const [program, args] of asks) {
    const answer = await ask(program, args).catch(() => '');
    if (/\btrue\b/.test(answer)) return true;
  }
  return false;
}

function run(program: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout: limitMs }, (error, stdout) =>
      error instanceof Error ? reject(error) : resolve(stdout),
    );
  });
}
