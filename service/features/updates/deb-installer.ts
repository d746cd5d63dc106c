import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { HostError } from '../../core/host-error.ts';
import type { BuildFacts } from '../../platform/build-facts.ts';
import { findProgram } from '../../platform/find-program.ts';
import { startOutliving } from '../../platform/outliving-process.ts';
import type { Processes } from '../../platform/processes.ts';
import type { Installer } from './own-updater.ts';
import { invalidRelease, type Release } from './release.ts';

const packageName = 'plugin-host-lite';
const readLimitMs = 30_000;
/** A person has to find the password; then dpkg ends this host. */
const installLimitMs = 600_000;
const maxShownOutput = 500;

/** The host ends while dpkg works, so what starts the new one cannot be part of it. */
const installAndStart = 'pkexec=$1 dpkg=$2 file=$3; shift 3; "$pkexec" "$dpkg" -i "$file" && "$@"';

export interface DebInstallerOptions {
  facts: Pick<BuildFacts, 'restart'>;
  processes: Processes;
  /** The folders that programs are looked for in; default: PATH. */
  path?: string;
  /** Whether systemd restarts this process, and ends what it started; default: as its environment says. */
  isUnit?: boolean;
}

/** Installs the lite package by dpkg, which an administrator has to allow. */
export class DebInstaller implements Installer {
  private readonly options: DebInstallerOptions;
  private readonly isUnit: boolean;

  constructor(options: DebInstallerOptions) {
    this.options = options;
    this.isUnit = options.isUnit ?? process.env['SYSTEMD_EXEC_PID'] === String(process.pid);
  }

  prepare(): Promise<void> {
    return Promise.resolve();
  }

  /** A description speaks of a version; what dpkg would install is what the package itself says. */
  async stage(file: string, { version }: Release, signal: AbortSignal): Promise<void> {
    const dpkgDeb = await this.find('dpkg-deb');
    const fields = await this.read(dpkgDeb, ['--field', file, 'Package', 'Version'], signal);
    const wanted = `Package: ${packageName}\nVersion: ${debianVersion(version)}`;
    if (fields.trim() !== wanted) throw invalidRelease('its package holds something else');
  }

  command(file: string): string {
    return `sudo dpkg -i '${file.replaceAll("'", "'\\''")}'`;
  }

  async restart(file: string): Promise<void> {
    const pkexec = await findProgram('pkexec', this.options.path);
    // Under systemd, dpkg would be ended together with this host, half way.
    if (pkexec === null || this.isUnit || this.options.facts.restart === null)
      throw this.needsAdministrator(file, 'This installation is updated by an administrator');
    const { program, args } = this.options.facts.restart;
    const dpkg = await this.find('dpkg');
    const logFile = join(dirname(file), 'install.log');
    const started = await startOutliving({
      program: '/bin/sh',
      args: ['-c', installAndStart, 'sh', pkexec, dpkg, file, program, ...args],
      ...{ cwd: '/', logFile },
    });
    const code = await within(installLimitMs, started.exited);
    // dpkg ends the host that it replaces, so whoever still reads this was not replaced.
    if (code === 0) throw installedBeside();
    const said = (await readFile(logFile, 'utf8').catch(() => '')).trim().slice(-maxShownOutput);
    const why = code === null ? 'It did not end in time' : said || `It ended with code ${code}`;
    throw this.needsAdministrator(file, `The update was not installed (${why})`);
  }

  private needsAdministrator(file: string, why: string): HostError {
    const message = `${why}. Run this in a terminal: ${this.command(file)}`;
    return new HostError('conflict', 'needs_administrator', message);
  }

  private async find(name: string): Promise<string> {
    const found = await findProgram(name, this.options.path);
    if (found !== null) return found;
    const message = `${name} was not found on this machine. Install it, or update by hand.`;
    throw new HostError('conflict', 'needs_administrator', message);
  }

  private async read(program: string, args: string[], signal: AbortSignal): Promise<string> {
    const { processes } = this.options;
    const owned = await processes.spawn({ program, args, cwd: '/', env: { LC_ALL: 'C' } });
    const limit = AbortSignal.any([signal, AbortSignal.timeout(readLimitMs)]);
    const stop = (): void => void owned.terminate(0);
    limit.addEventListener('abort', stop, { once: true });
    const [said] = await Promise.all([text(owned.stdout), text(owned.stderr)]);
    const { code } = await owned.exited;
    limit.removeEventListener('abort', stop);
    signal.throwIfAborted();
    if (code !== 0) throw invalidRelease('its file is no Debian package');
    return said;
  }
}

function installedBeside(): HostError {
  const message = 'The update is installed, but this host goes on. End it, and start it again.';
  return new HostError('conflict', 'update_installed', message);
}

/** As the packages are made. */
const debianVersion = (version: string): string => version.replace('-', '~');

async function within<T>(limitMs: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
