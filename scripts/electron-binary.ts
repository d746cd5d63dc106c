import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Properties of a machine that decide whether Electron can open a window. */
export interface Machine {
  platform: NodeJS.Platform;
  environment: NodeJS.ProcessEnv;
  isRoot: boolean;
  /** True if users may create the namespaces that Chromium's sandbox needs. */
  hasUserNamespaces: boolean;
}

export const electronFolder = (): string =>
  dirname(createRequire(import.meta.url).resolve('electron/package.json'));

export function thisMachine(): Machine {
  return {
    platform: process.platform,
    environment: process.env,
    isRoot: process.getuid?.() === 0,
    hasUserNamespaces: hasUserNamespaces(),
  };
}

function hasUserNamespaces(): boolean {
  const kernel = (name: string): string => {
    const file = join('/proc/sys', name);
    return existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  };
  return (
    kernel('kernel/apparmor_restrict_unprivileged_userns') !== '1' &&
    kernel('kernel/unprivileged_userns_clone') !== '0' &&
    kernel('user/max_user_namespaces') !== '0'
  );
}

/**
 * Returns why Electron cannot open a window on a machine, as the end of a sentence; null if it can.
 */
export function windowHindrance(machine: Machine, folder = electronFolder()): string | null {
  const { platform, environment } = machine;
  if (platform !== 'linux') return null;
  if (!environment['DISPLAY'] && !environment['WAYLAND_DISPLAY']) return 'there is no display';
  if (machine.isRoot) return 'Electron does not run as root with its sandbox';
  if (machine.hasUserNamespaces || hasSetuidSandbox(folder)) return null;
  const helper = join(folder, 'dist', 'chrome-sandbox');
  if (!existsSync(helper)) return null;
  return `this system lets no user make a sandbox (sudo chown root ${helper} && sudo chmod 4755 ${helper} allows it)`;
}

function hasSetuidSandbox(folder: string): boolean {
  const helper = join(folder, 'dist', 'chrome-sandbox');
  if (!existsSync(helper)) return false;
  const { uid, mode } = statSync(helper);
  return uid === 0 && (mode & 0o4000) !== 0;
}

const binaries: Partial<Record<NodeJS.Platform, string>> = {
  win32: 'electron.exe',
  darwin: 'Electron.app/Contents/MacOS/Electron',
};

/** Returns the binary of the pinned version; null if it was not downloaded. */
export function electronBinary(folder = electronFolder()): string | null {
  const binary = join(folder, 'dist', binaries[process.platform] ?? 'electron');
  const version = join(folder, 'dist', 'version');
  if (!existsSync(binary) || !existsSync(version)) return null;
  const fetched = readFileSync(version, 'utf8').trim().replace(/^v/, '');
  return fetched === versionIn(folder) ? binary : null;
}

function versionIn(folder: string): string {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

const fetchLimitMs = 15 * 60_000;
const progressMs = 5_000;
const mostOutput = 64 * 1_024;

/**
 * Downloads the binary with `install-electron`, Electron's own installer, which verifies its
 * checksum and keeps it in the user's cache. Resolves with null, or with the reason of a failure.
 */
export async function fetchElectron(
  print: (line: string) => void,
  { folder = electronFolder(), limitMs = fetchLimitMs } = {},
): Promise<string | null> {
  const downloads = mkdtempSync(join(tmpdir(), 'plugin-host-electron-'));
  print(`Fetching Electron ${versionIn(folder)} …`);
  const timer = setInterval(
    () => print(`Fetching Electron … ${megabytesIn(downloads)} MB`),
    progressMs,
  );
  try {
    const why = await install(join(folder, 'install.js'), downloads, limitMs);
    if (why !== null) return why;
    return electronBinary(folder) === null ? 'its installer left no binary' : null;
  } finally {
    clearInterval(timer);
    rmSync(downloads, { recursive: true, force: true });
  }
}

function install(script: string, downloads: string, limitMs: number): Promise<string | null> {
  // Electron's own progress bar needs a terminal and prints nothing for the first half minute.
  const own = { ELECTRON_GET_NO_PROGRESS: '1', TMPDIR: downloads, TEMP: downloads, TMP: downloads };
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...own },
  });
  let output = '';
  child.stderr.on('data', (bytes: Buffer) => {
    if (output.length < mostOutput) output += bytes.toString('utf8');
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => {
      clearTimeout(limit);
      if (code === 0) return resolve(null);
      if (signal === 'SIGKILL') return resolve(`it took longer than ${limitMs / 60_000} minutes`);
      resolve(reasonIn(output) ?? `its installer ended with code ${String(code)}`);
    });
  });
}

/** The installer prints only the stack of an error, never its cause. */
function reasonIn(output: string): string | null {
  const reason = /(?:^|\n)\w*Error: (.+)/.exec(output)?.[1]?.trim() ?? null;
  return reason === 'fetch failed' ? 'the server that has it cannot be reached' : reason;
}

function megabytesIn(folder: string): number {
  const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size)
    .reduce<number>((sum, size) => sum + (size ?? 0), 0);
  return Math.round(bytes / 1_000_000);
}
