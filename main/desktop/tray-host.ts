import { execFile } from 'node:child_process';

const watcher = 'org.kde.StatusNotifierWatcher';
const watcherPath = '/StatusNotifierWatcher';
const limitMs = 2_000;

type Run = (program: string, args: string[]) => Promise<string>;

/** A program that queries the session bus. Nearly every desktop has one of the two. */
interface Bus {
  property: (name: string) => Promise<string>;
  /** Returns the output that names the process which owns a bus name. */
  processOf: (name: string) => Promise<string>;
}

const bus = 'org.freedesktop.DBus';

function busesOf(run: Run): Bus[] {
  const gdbus = (destination: string, path: string, ...method: string[]): Promise<string> =>
    run('gdbus', [
      ...['call', '--session', '--dest', destination, '--object-path', path, '--method'],
      ...method,
    ]);
  return [
    {
      property: (name) =>
        gdbus(watcher, watcherPath, 'org.freedesktop.DBus.Properties.Get', watcher, name),
      processOf: (name) =>
        gdbus(bus, '/org/freedesktop/DBus', `${bus}.GetConnectionUnixProcessID`, name),
    },
    {
      property: (name) =>
        run('busctl', ['--user', 'get-property', watcher, watcherPath, watcher, name]),
      processOf: (name) =>
        run('busctl', [
          ...['--user', 'call', bus, '/org/freedesktop/DBus', bus],
          ...['GetConnectionUnixProcessID', 's', name],
        ]),
    },
  ];
}

/**
 * Returns true if a tray shows the icon of this process. Electron reports no error where there is
 * no tray or the tray refused the icon, and a hidden window could not be brought back then. Also
 * false if the bus does not answer.
 */
export async function isInTray(
  platform: NodeJS.Platform = process.platform,
  pid = process.pid,
  run: Run = runProgram,
): Promise<boolean> {
  if (platform !== 'linux') return true;
  for (const one of busesOf(run)) if (await showsIconOf(pid, one)) return true;
  return false;
}

async function showsIconOf(pid: number, { property, processOf }: Bus): Promise<boolean> {
  const host = await property('IsStatusNotifierHostRegistered').catch(() => '');
  if (!/\btrue\b/.test(host)) return false;
  const items = await property('RegisteredStatusNotifierItems').catch(() => '');
  for (const name of busNamesIn(items)) {
    const answer = await processOf(name).catch(() => '');
    // Both programs may print a type in front of the number: `uint32 12`, `u 12`.
    if (Number(/(\d+)[^\d]*$/.exec(answer)?.[1]) === pid) return true;
  }
  return false;
}

/** An item is a bus name, optionally followed by an object path. */
function busNamesIn(items: string): string[] {
  const quoted = [...items.matchAll(/['"]([^'"]*)['"]/g)].map(([, item = '']) => item);
  return quoted.map((item) => item.replace(/@?\/.*$/, '')).filter((name) => name !== '');
}

function runProgram(program: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout: limitMs }, (error, stdout) =>
      error instanceof Error ? reject(error) : resolve(stdout),
    );
  });
}
