import { createWriteStream, mkdirSync, readdirSync, rmSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

export const logLevels = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'OFF'] as const;
export type Level = (typeof logLevels)[number];

/** `about` is the part of the host that speaks, for example `plugins`. */
export interface Log {
  level: Level;
  debug(about: string, message: string): void;
  info(about: string, message: string): void;
  warn(about: string, message: string): void;
  error(about: string, message: string, cause?: unknown): void;
  /** The latest warnings and errors, oldest first, whatever the level; without secrets and stacks. */
  readonly troubles: readonly Trouble[];
  close(): Promise<void>;
}

/** A warning or an error, as the diagnostics show it. */
export interface Trouble {
  /** ISO 8601, UTC. */
  at: string;
  level: 'WARN' | 'ERROR';
  /** The part of the host that spoke. */
  logger: string;
  message: string;
}

const keepFiles = 7;
const maxTroubles = 50;
const maxTroubleLength = 1_000;
const maxErrorLength = 100_000;

/** Lines go to stderr and, once `directory` is known, to a file a day; the last seven are kept. */
export function createLog(options: {
  level: Level;
  directory: string | null;
  stderr?: boolean;
}): Log {
  const { directory, stderr: toStderr = true } = options;
  let day = dayOf(new Date());
  let file = directory === null ? null : openFile(directory, day);

  function turnPage(now: Date): void {
    if (directory === null || dayOf(now) === day) return;
    day = dayOf(now);
    try {
      const next = openFile(directory, day);
      file?.end();
      file = next;
    } catch {
      // The old file still takes the lines.
    }
  }

  function write(level: Level, about: string, message: string): void {
    if (logLevels.indexOf(level) < logLevels.indexOf(log.level)) return;
    const now = new Date();
    turnPage(now);
    const line = `${now.toISOString()} ${level.padEnd(5)} [${about}] ${oneLine(message)}\n`;
    if (toStderr) process.stderr.write(line);
    file?.write(line);
  }

  const troubles: Trouble[] = [];
  function remember(level: Trouble['level'], logger: string, message: string): void {
    const start = oneLine(message.slice(0, 4 * maxTroubleLength));
    const text = withoutSecrets(start).slice(0, maxTroubleLength);
    troubles.push({ at: new Date().toISOString(), level, logger, message: text });
    if (troubles.length > maxTroubles) troubles.shift();
  }

  const log: Log = {
    level: options.level,
    troubles,
    debug: (about, message) => write('DEBUG', about, message),
    info: (about, message) => write('INFO', about, message),
    warn(about, message) {
      remember('WARN', about, message);
      write('WARN', about, message);
    },
    error(about, message, cause) {
      const told = (why: string): string => (cause === undefined ? message : `${message}: ${why}`);
      remember('ERROR', about, told(cause instanceof Error ? cause.message : String(cause)));
      // What nobody expected was written by a library or by the system.
      write('ERROR', about, withoutSecrets(told(describe(cause)).slice(0, maxErrorLength)));
    },
    close: () => new Promise((resolve) => (file === null ? resolve() : file.end(resolve))),
  };
  return log;
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

function openFile(directory: string, day: string): WriteStream {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const name = `host-${day}.log`;
  const old = readdirSync(directory).filter((other) => /^host-\d{4}-\d\d-\d\d\.log$/.test(other));
  const others = old.filter((other) => other !== name).sort();
  for (const other of others.slice(0, 1 - keepFiles))
    rmSync(join(directory, other), { force: true });
  const stream = createWriteStream(join(directory, name), { flags: 'a', mode: 0o600 });
  // A full disk must not end the host; the lines still reach stderr.
  stream.on('error', () => undefined);
  return stream;
}

function oneLine(message: string): string {
  return message.replace(/[\r\n]+/g, ' ⏎ ').replace(/[\0-\x08\x0b-\x1f\x7f]/g, '�');
}

/** Nobody should log a secret; a message of a library may still carry one. */
function withoutSecrets(text: string): string {
  return text
    .replace(/\bENC\([^)]*\)?/g, 'ENC(***)')
    .replace(/(\w:\/\/)[^\s/@]*@/g, '$1***@')
    .replace(
      /((?:pass(?:word|wd)?|pwd|secret|token|ticket|api[-_]?key|authorization)["']?\s*[:=]\s*)(?:bearer\s+)?("[^"]*"|'[^']*'|[^\s,;&"']+)/gi,
      '$1***',
    );
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
