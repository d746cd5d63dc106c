import { devNull, tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { HostError } from '../../../core/host-error.ts';
import { findProgram } from '../../../platform/find-program.ts';
import { processEnvironment } from '../../../platform/process-environment.ts';
import type { OwnedProcess, Processes } from '../../../platform/processes.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** The addresses that git may contact; `file` only for a `file:` source that the user entered. */
export interface GitNetworkPolicy {
  file: boolean;
  /** `host:port:address[,address]`: names that were resolved and checked already. */
  resolved: readonly string[];
}

export const noNetworkAccess: GitNetworkPolicy = { file: false, resolved: [] };

/** One run of git. */
export interface GitRun {
  args: readonly string[];
  /** Bare repository, and working directory of the process. */
  repository: string;
  networkPolicy?: GitNetworkPolicy;
  signal: AbortSignal;
  limitMs: number;
  input?: string;
  /** Called with the progress output of git. */
  onStderr?: (text: string) => void;
}

/** Memory limit for one object: a pack of a few hundred kilobytes can unpack to gigabytes. */
const objectMemory = '256m';
/** Larger files are streamed through git. */
const largeFile = '32m';
const maxStderrCharacters = 8_000;
const versionLimitMs = 10_000;
const defaultOutputBytes = 1024 ** 2;

/** Runs the machine's `git` without any configuration of the user or the system. */
export class Git {
  private readonly processes: Processes;
  /** By program, since another one may be found later. */
  private readonly pins = new Map<string, Promise<boolean>>();

  constructor(processes: Processes) {
    this.processes = processes;
  }

  /**
   * Returns the output of git.
   * @throws HostError `git_missing`, `git_failed`, `git_timed_out`, or the reason of the signal
   */
  async output(run: GitRun, maxBytes = defaultOutputBytes): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    await this.stream(run, async (git) => {
      git.stdin.end(run.input ?? '');
      for await (const chunk of git.stdout as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxBytes) throw tooMuch();
        chunks.push(chunk);
      }
    });
    return Buffer.concat(chunks);
  }

  /**
   * An older git would resolve the name itself, possibly to another address than the one that was
   * checked.
   */
  private async requirePins(program: string): Promise<void> {
    const supportsPins = this.pins.get(program) ?? this.canPin(program);
    this.pins.set(program, supportsPins);
    supportsPins.catch(() => this.pins.delete(program));
    if (await supportsPins) return;
    const { major, minor } = pinsSince;
    throw new HostError('conflict', 'git_too_old', msg('git.tooOld', { major, minor }));
  }

  private async canPin(program: string): Promise<boolean> {
    const spec = {
      program,
      args: ['--version'],
      cwd: tmpdir(),
      env: environment(tmpdir(), noNetworkAccess),
    };
    const git = await this.processes.spawn(spec);
    const limit = setTimeout(() => void git.terminate(0), versionLimitMs);
    let text = '';
    try {
      for await (const chunk of git.stdout as AsyncIterable<Buffer>)
        text += chunk.toString('latin1');
    } finally {
      clearTimeout(limit);
      await git.terminate(0);
    }
    const [, major = '0', minor = '0'] = /^git version (\d+)\.(\d+)/.exec(text) ?? [];
    const [has, needs] = [Number(major), pinsSince.major];
    return has > needs || (has === needs && Number(minor) >= pinsSince.minor);
  }

  /**
   * Runs git; `use` reads its output and may write its input. The process has ended when this
   * settles.
   */
  async stream(run: GitRun, use: (git: OwnedProcess) => Promise<void>): Promise<void> {
    run.signal.throwIfAborted();
    const program = await gitProgram();
    if (run.networkPolicy !== undefined && run.networkPolicy.resolved.length > 0)
      await this.requirePins(program);
    const git = await this.processes.spawn({
      program,
      args: [...configuration(run.networkPolicy ?? noNetworkAccess), ...run.args],
      cwd: run.repository,
      env: environment(run.repository, run.networkPolicy ?? noNetworkAccess),
    });
    const timeout = AbortSignal.timeout(run.limitMs);
    const stopSignal = AbortSignal.any([run.signal, timeout]);
    const end = (): void => void git.terminate(0);
    stopSignal.addEventListener('abort', end, { once: true });
    // Cancelled while the process was starting.
    if (stopSignal.aborted) end();
    const notes = new Notes(run.onStderr);
    git.stderr.on('data', (chunk: Buffer) => notes.take(chunk));
    try {
      await use(git);
      git.stdin.end();
      const { code } = await git.exited;
      stopSignal.throwIfAborted();
      if (code !== 0) throw gitFailed(notes.text);
    } catch (error) {
      await git.terminate(0);
      run.signal.throwIfAborted();
      if (timeout.aborted) throw timedOut(run.limitMs);
      throw error;
    } finally {
      stopSignal.removeEventListener('abort', end);
    }
  }
}

/** First version of git that connects to given addresses. */
const pinsSince = { major: 2, minor: 37 };

async function gitProgram(): Promise<string> {
  const program = await findProgram('git');
  if (program !== null) return program;
  throw new HostError('conflict', 'git_missing', msg('git.missing'));
}

/** Overrides everything by which a repository or a configuration could make git run commands. */
function configuration({ file, resolved }: GitNetworkPolicy): string[] {
  const values = [
    `core.hooksPath=${devNull}`,
    `core.bigFileThreshold=${largeFile}`,
    // Unpacking is done by `index-pack` alone, which has the limits.
    'fetch.unpackLimit=1',
    'core.symlinks=false',
    'core.fsmonitor=false',
    'core.askPass=',
    'credential.helper=',
    'protocol.allow=never',
    'protocol.https.allow=always',
    'protocol.http.allow=always',
    `protocol.file.allow=${file ? 'always' : 'never'}`,
    'filter.lfs.required=false',
    'submodule.recurse=false',
    'transfer.bundleURI=false',
    'http.followRedirects=false',
    'http.proxy=',
    'http.lowSpeedLimit=1',
    'http.lowSpeedTime=60',
    'gc.auto=0',
    'maintenance.auto=false',
    ...resolved.map((one) => `http.curloptResolve=${one}`),
  ];
  return values.flatMap((value) => ['-c', value]);
}

function environment(home: string, { file }: GitNetworkPolicy): Record<string, string> {
  const { PATH = '', SYSTEMROOT, WINDIR } = processEnvironment();
  return {
    PATH,
    ...(SYSTEMROOT === undefined ? {} : { SYSTEMROOT }),
    ...(WINDIR === undefined ? {} : { WINDIR }),
    HOME: home,
    // Ignores a repository that contains the working directory of the host.
    GIT_CEILING_DIRECTORIES: dirname(home),
    LC_ALL: 'C',
    // For a local repository, the serving git would get this limit without the streaming threshold.
    ...(file ? {} : { GIT_ALLOC_LIMIT: objectMemory }),
    GIT_ALLOW_PROTOCOL: file ? 'https:http:file' : 'https:http',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: devNull,
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_TEMPLATE_DIR: '',
    GIT_TERMINAL_PROMPT: '0',
  };
}

/** Collects the messages of git: passes each piece on, and keeps the end. */
class Notes {
  text = '';
  private readonly onStderr: ((text: string) => void) | undefined;

  constructor(onStderr: ((text: string) => void) | undefined) {
    this.onStderr = onStderr;
  }

  take(chunk: Buffer): void {
    const text = chunk.toString('utf8');
    this.text = (this.text + text).slice(-maxStderrCharacters);
    this.onStderr?.(text);
  }
}

const failed = 'git_failed';

const causes: [RegExp, Message][] = [
  [/not found|does not exist|not appear to be a git repository/i, msg('git.noRepository')],
  [/couldn't find remote ref|not our ref|no such remote ref/i, msg('git.noRef')],
  [
    /could not read Username|Authentication failed|terminal prompts disabled/i,
    msg('git.signInNeeded'),
  ],
  [/Could not resolve host/i, msg('git.unknownHost')],
  [/Connection refused|Failed to connect|Couldn't connect/i, msg('git.noAnswer')],
  [/SSL|certificate/i, msg('git.badCertificate')],
  [/dubious ownership/i, msg('git.otherOwner')],
  [/HTTP 30\d|returned error: 30\d/, msg('git.moved')],
  [/No space left on device/i, msg('disk.full')],
  [/transport '.*' not allowed|protocol .* not allowed/i, msg('git.addressKindRefused')],
];

/** Messages of git contain addresses and paths, so only known causes are reported. */
function gitFailed(notes: string): HostError {
  const recognized = causes.find(([pattern]) => pattern.test(notes))?.[1];
  if (recognized?.code === 'disk.full')
    return new HostError('disk-full', 'disk_full', msg('disk.full'));
  return new HostError('upstream-failed', failed, recognized ?? msg('git.unreadable'), {
    cause: new Error(notes),
  });
}

/** True if git ran and failed. */
export const isGitFailure = (error: unknown): boolean =>
  error instanceof HostError && error.code === failed;

function timedOut(limitMs: number): HostError {
  const seconds = Math.round(limitMs / 1_000);
  const message = msg('git.timedOut', { seconds });
  return new HostError('upstream-timeout', 'git_timed_out', message);
}

function tooMuch(): HostError {
  return new HostError('too-large', 'repository_too_large', msg('git.tooManyFiles'));
}
