import { execFile } from 'node:child_process';

const watcher = 'org.kde.StatusNotifierWatcher';
const watcherPath = '/StatusNotifierWatcher';
const limitMs = 2_000;

type Run = (program: string, args: string[]) => Promise<string>;

/** Two programs that ask the session bus; one of them is on nearly every desktop. */
interface Bus {
  property: (name: string) => Promise<string>;
  /** The process behind a name of the bus; in the answer of the program. */
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
 * Whether something shows the icon of this process in a tray. Electron makes one without an error where
 * nothing does, or where the tray refused it; a window that hides then could not be brought back. False
 * also where nobody answers.
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
    // Behind the type that both programs may put in front of the number: `uint32 12`, `u 12`.
    if (Number(/(\d+)[^\d]*$/.exec(answer)?.[1]) === pid) return true;
  }
  return false;
}

/** Items are the name of a connection with or without the path of an object behind it. */
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
