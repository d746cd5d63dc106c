import { withTimeoutOrNull } from '../../core/with-timeout.ts';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { HostError } from '../../core/host-error.ts';
import type { BuildFacts } from './build-facts.ts';
import { findProgram } from '../../platform/find-program.ts';
import { startOutliving } from '../../platform/outliving-process.ts';
import type { Processes } from '../../platform/processes.ts';
import { damaged, type Installer } from './own-updater.ts';
import { invalidRelease, type Release } from './release.ts';
import { type Message, msg } from '../../messages/index.ts';

const packageName = 'plugin-host-lite';
const readLimitMs = 30_000;
/** Time for a person to enter the password; then dpkg ends this host. */
const installLimitMs = 600_000;
const maxReportedOutput = 500;

/** The same value as in `packaging/lite/update`. */
const exitMismatch = 3;

/**
 * dpkg ends this host while it works, so a separate script opens the new one. The program that runs
 * as an administrator prints a line when it is time for that, and a second one after it restored
 * the previous version. It ends a host that takes too long, and checks for `failed` beside the
 * package.
 */
const installAndOpen = `
pkexec=$1 update=$2 file=$3 sha256=$4
shift 4
cd "$(dirname "$file")"
{
  code=0
  "$pkexec" "$update" "$file" "$sha256" --then=open || code=$?
  echo "ended $code"
} | {
  code=1
  while read -r word number; do
    case $word in
      open) ;;
      ended) code=$number && continue ;;
      *) continue ;;
    esac
    PLUGIN_HOST_START_LIMIT=1000 "$@" </dev/null >/dev/null 2>opening.log || {
      tail -n 3 opening.log >failed.part
      grep -q . failed.part || echo 'it could not be opened' >failed.part
      mv failed.part failed
    }
  done
  exit "$code"
}`;

/** Dependencies of the installer of `.deb` packages. */
export interface DebInstallerOptions {
  facts: Pick<BuildFacts, 'folder' | 'restart'>;
  processes: Processes;
  /** The folders to search for programs; default: PATH. */
  path?: string;
  /**
   * True if systemd restarts this process and ends its children; default: detected from the
   * environment.
   */
  isUnit?: boolean;
}

/** Installs the lite package as an administrator, with a program of the installed package. */
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

  /** The release description states a version, but dpkg installs the one in the package. */
  async stage(file: string, { version }: Release, signal: AbortSignal): Promise<void> {
    const dpkgDeb = await this.find('dpkg-deb');
    const fields = await this.read(dpkgDeb, ['--field', file, 'Package', 'Version'], signal);
    const expected = `Package: ${packageName}\nVersion: ${debianVersion(version)}`;
    if (fields.trim() !== expected) throw invalidRelease(msg('updates.otherPackage'));
  }

  /**
   * Under systemd the script waits for systemd to start the new host. Without a restart command
   * the new host cannot be tried.
   */
  command(file: string, { sha256 }: Release): string {
    const commandWords = ['sudo', quoted(this.update), quoted(file), sha256];
    const isTried = this.options.facts.restart !== null;
    return [
      ...commandWords,
      ...(this.isUnit ? ['--then=wait'] : isTried ? ['--then=try'] : []),
    ].join(' ');
  }

  async restart(file: string, release: Release): Promise<void> {
    const pkexec = await findProgram('pkexec', this.options.path);
    // Under systemd, dpkg would be ended together with this host in the middle of its work.
    if (pkexec === null || this.isUnit || this.options.facts.restart === null)
      throw needsAdministrator(
        msg('updates.byAdministrator', { command: this.command(file, release) }),
      );
    const { program, args } = this.options.facts.restart;
    const logFile = join(dirname(file), 'install.log');
    const started = await startOutliving({
      program: '/bin/sh',
      args: [
        '-c',
        installAndOpen,
        'sh',
        pkexec,
        this.update,
        file,
        release.sha256,
        program,
        ...args,
      ],
      cwd: '/',
      logFile,
    });
    const code = await withTimeoutOrNull(installLimitMs, started.exited);
    // dpkg ends the host that it replaces, so a host that gets here was not replaced.
    if (code === 0) throw installedBeside();
    if (code === exitMismatch) throw damaged();
    const logTail = (await readFile(logFile, 'utf8').catch(() => ''))
      .trim()
      .slice(-maxReportedOutput);
    const command = this.command(file, release);
    if (code === null) throw needsAdministrator(msg('updates.installTooSlow', { command }));
    throw needsAdministrator(
      logTail === ''
        ? msg('updates.installEndedWithCode', { code, command })
        : msg('updates.installFailed', { output: logTail, command }),
    );
  }

  /** Writable only for root; part of the package. */
  private get update(): string {
    return join(dirname(this.options.facts.folder), 'update');
  }

  private async find(name: string): Promise<string> {
    const found = await findProgram(name, this.options.path);
    if (found !== null) return found;
    throw needsAdministrator(msg('updates.programMissing', { program: name }));
  }

  private async read(program: string, args: string[], signal: AbortSignal): Promise<string> {
    const { processes } = this.options;
    const owned = await processes.spawn({ program, args, cwd: '/', env: { LC_ALL: 'C' } });
    const limit = AbortSignal.any([signal, AbortSignal.timeout(readLimitMs)]);
    const stop = (): void => void owned.terminate(0);
    limit.addEventListener('abort', stop, { once: true });
    const [output] = await Promise.all([text(owned.stdout), text(owned.stderr)]);
    const { code } = await owned.exited;
    limit.removeEventListener('abort', stop);
    signal.throwIfAborted();
    if (code !== 0) throw invalidRelease(msg('updates.notDebian'));
    return output;
  }
}

const needsAdministrator = (text: Message): HostError =>
  new HostError('conflict', 'needs_administrator', text);

function installedBeside(): HostError {
  const message = msg('updates.installedBeside');
  return new HostError('conflict', 'update_installed', message);
}

/** Quotes text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns the version in the format of the packages. */
const debianVersion = (version: string): string => version.replace('-', '~');
