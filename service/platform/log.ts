import { type AreaLevels, type Level, LevelFilter, type LogArea } from './log-areas.ts';
import { lastLines, LogFile, textOf } from './log-file.ts';
import { SecretFilter } from './secret-filter.ts';

export type { Level } from './log-areas.ts';

/** A function is called only if the line is written. */
export type Message = string | (() => string);

/** Writes to the log. `area` is the part of the host, for example `plugins`. */
export interface Log {
  level: Level;
  /** Areas whose level differs from `level`. */
  areaLevels: AreaLevels;
  isOn(level: Level, area: LogArea): boolean;
  trace(area: LogArea, message: Message): void;
  debug(area: LogArea, message: Message): void;
  info(area: LogArea, message: string): void;
  warn(area: LogArea, message: string): void;
  error(area: LogArea, message: string, cause?: unknown): void;
  /** Masks this text in all following lines. */
  hide(secret: string): void;
  /** Returns the text without secrets, as in a line. */
  clean(text: string): string;
  /**
   * Latest warnings and errors, oldest first, independent of the level; without secrets and stacks.
   */
  readonly errors: readonly LoggedError[];
  /** Last lines of the log file, oldest first, without secrets. */
  lastLines(maxBytes: number): Promise<string[]>;
  close(): Promise<void>;
}

/** A warning or an error, as displayed in diagnostics. */
export interface LoggedError {
  /** ISO 8601, UTC. */
  at: string;
  level: 'WARN' | 'ERROR';
  /** Area of the log. */
  logger: string;
  message: string;
}

const maxErrors = 50;
const maxErrorMessage = 1_000;
/** Limit of a message before secrets are masked, in characters. */
const maxRead = 4 * maxErrorMessage;
const maxLine = 100_000;

/**
 * Creates the log. Lines are written to stderr and, with `directory`, as JSON to a file per day;
 * the last seven are kept.
 */
export function createLog(options: {
  level: Level;
  directory: string | null;
  stderr?: boolean;
}): Log {
  const { directory, stderr = true } = options;
  const file = directory === null ? null : new LogFile(directory);
  const filter = new LevelFilter(options.level);
  const secrets = new SecretFilter();
  const errors: LoggedError[] = [];

  function write(level: Level, area: LogArea, message: Message): void {
    if (!filter.passes(level, area)) return;
    const now = new Date();
    const text = secrets.clean(typeof message === 'string' ? message : message(), maxLine);
    const entry = { at: now.toISOString(), level, area, message: oneLine(text) };
    if (stderr) process.stderr.write(`${textOf(entry)}\n`);
    file?.write(entry, now);
  }

  const storeError = (level: LoggedError['level'], area: LogArea, message: string): void =>
    remembered(errors, { level, logger: area, message: secrets.clean(message, maxRead) });

  return {
    get level() {
      return filter.level;
    },
    set level(level) {
      filter.level = level;
    },
    get areaLevels() {
      return filter.areas;
    },
    set areaLevels(areas) {
      filter.areas = areas;
    },
    errors,
    isOn: (level, area) => filter.passes(level, area),
    trace: (area, message) => write('TRACE', area, message),
    debug: (area, message) => write('DEBUG', area, message),
    info: (area, message) => write('INFO', area, message),
    warn(area, message) {
      storeError('WARN', area, message);
      write('WARN', area, message);
    },
    error(area, message, cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      storeError('ERROR', area, cause === undefined ? message : `${message}: ${why}`);
      write('ERROR', area, cause === undefined ? message : `${message}: ${describe(cause)}`);
    },
    hide: (secret) => secrets.add(secret),
    clean: (text) => secrets.clean(text),
    async lastLines(maxBytes) {
      if (directory === null) return [];
      await file?.flush();
      return (await lastLines(directory, maxBytes)).map((line) => secrets.clean(line));
    },
    close: () => file?.close() ?? Promise.resolve(),
  };
}

function remembered(errors: LoggedError[], entry: Omit<LoggedError, 'at'>): void {
  const message = oneLine(entry.message).slice(0, maxErrorMessage);
  errors.push({ at: new Date().toISOString(), ...entry, message });
  if (errors.length > maxErrors) errors.shift();
}

function oneLine(message: string): string {
  return message.replace(/[\r\n]+/g, ' ⏎ ').replace(/[\0-\x08\x0b-\x1f\x7f]/g, '�');
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
