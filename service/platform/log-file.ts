import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import electronLog from 'electron-log/node.js';
import type { Level, LogArea } from './log-areas.ts';

const keepFiles = 7;
const fileName = /^host-\d{4}-\d\d-\d\d\.log$/;
/** Limit for writing the remaining lines, in ms. */
const flushLimitMs = 1_000;
const flushPollMs = 5;
/** Limit of buffered lines. Further ones are dropped; a line reports how many. */
const maxQueuedBytes = 16 * 1024 * 1024;
/** Pause between two attempts to create the folder, and between two complaints on stderr, in ms. */
const complaintPauseMs = 60_000;
const folderPauseMs = 1_000;

/** A line of a log file, which is one JSON object. */
export interface LogEntry {
  /** ISO 8601, UTC. */
  at: string;
  level: Level;
  area: LogArea;
  message: string;
}

/** One line for people. */
export const textOf = ({ at, level, area, message }: LogEntry): string =>
  `${at} ${level.padEnd(5)} [${area}] ${message}`;

type FileTransport = ReturnType<typeof electronLog.create>['transports']['file'];

/** Includes properties that its types lack. */
type WrittenFile = ReturnType<FileTransport['getFile']> & {
  asyncWriteQueue: readonly string[];
  hasActiveAsyncWriting: boolean;
};

const isIdle = (file: WrittenFile): boolean =>
  !file.hasActiveAsyncWriting && file.asyncWriteQueue.length === 0;

/**
 * Writes one file per day to `directory`; the last seven are kept. Lines that cannot be written are
 * dropped.
 */
export class LogFile {
  private readonly directory: string;
  private readonly transport: FileTransport;
  private day = '';
  private file: WrittenFile;
  /** Yesterday's file, while lines for it are still being written. */
  private before: WrittenFile | null = null;
  /** Bytes passed to the file since its queue was empty. */
  private appendedBytes = 0;
  private writtenBefore = 0;
  private droppedLines = 0;
  private hasFailed = false;
  private lastCheckMs = -Infinity;

  constructor(directory: string) {
    this.directory = directory;
    this.transport = electronLog.create({ logId: directory }).transports.file;
    // Otherwise it searches for a name, and complains on stderr if there is none.
    this.transport.setAppName('plugin-host');
    Object.assign(this.transport, {
      resolvePathFn: () => join(directory, `host-${this.day}.log`),
      transforms: [({ data }: { data: unknown[] }) => data[0]],
      // A new file starts by date, never by size.
      maxSize: 0,
      sync: false,
      writeOptions: { flag: 'a', mode: 0o600, encoding: 'utf8' },
    });
    this.file = this.fileOfDay(new Date());
  }

  write(entry: LogEntry, now: Date): void {
    this.fileOfDay(now);
    if (this.hasFailed) this.recreateFolder();
    if (this.queuedBytes() > maxQueuedBytes) {
      this.droppedLines += 1;
      return;
    }
    if (this.droppedLines > 0) {
      const message = `${this.droppedLines} lines were left out, since the disk was slower than they came.`;
      this.droppedLines = 0;
      this.append({ at: entry.at, level: 'WARN', area: 'launch', message }, now);
    }
    this.append(entry, now);
  }

  /** Resolves once every line so far is in the file, or cannot be written. */
  async flush(): Promise<void> {
    const untilMs = performance.now() + flushLimitMs;
    const isDone = (): boolean =>
      isIdle(this.file) && (this.before === null || isIdle(this.before));
    while (!isDone() && performance.now() < untilMs) await delay(flushPollMs);
  }

  close(): Promise<void> {
    return this.flush();
  }

  private append(entry: LogEntry, now: Date): void {
    const line = JSON.stringify(entry);
    this.appendedBytes += Buffer.byteLength(line) + 1;
    this.transport({ data: [line], date: now, level: 'info' });
  }

  private queuedBytes(): number {
    if (isIdle(this.file)) {
      this.appendedBytes = 0;
      this.writtenBefore = this.file.bytesWritten;
    }
    return this.appendedBytes - (this.file.bytesWritten - this.writtenBefore);
  }

  /** Creates the folder again, since it may have been removed. */
  private recreateFolder(): void {
    if (performance.now() - this.lastCheckMs < folderPauseMs) return;
    this.lastCheckMs = performance.now();
    this.hasFailed = false;
    this.removeOld();
  }

  private fileOfDay(now: Date): WrittenFile {
    const day = now.toISOString().slice(0, 10);
    if (day === this.day) return this.file;
    this.before = this.day === '' ? null : this.file;
    this.day = day;
    this.removeOld();
    this.file = this.transport.getFile() as WrittenFile;
    this.file.on('error', () => (this.hasFailed = true));
    this.appendedBytes = 0;
    this.writtenBefore = this.file.bytesWritten;
    return this.file;
  }

  private removeOld(): void {
    try {
      mkdirSync(this.directory, { recursive: true, mode: 0o700 });
      const others = readdirSync(this.directory).filter(
        (name) => fileName.test(name) && name !== `host-${this.day}.log`,
      );
      for (const name of others.sort().slice(0, 1 - keepFiles))
        rmSync(join(this.directory, name), { force: true });
    } catch {
      // The lines are still written to stderr.
    }
  }
}

let complainedMs = -Infinity;

/** The lines are written to stderr anyway, so this reports a failure only once a minute. */
function reportWriteFailure({ data }: { data: unknown[] }): void {
  if (performance.now() - complainedMs < complaintPauseMs) return;
  complainedMs = performance.now();
  const parts = data.map((one) => (one instanceof Error ? one.message : String(one)));
  process.stderr.write(`${parts.join(' ')}\n`);
}

// The library reports each failed write there, for all files.
electronLog.transports.console = Object.assign(reportWriteFailure, electronLog.transports.console);

/** Returns the last lines of the newest files, oldest first: at most `maxBytes`. */
export async function lastLines(directory: string, maxBytes: number): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  const newestFirst = names
    .filter((name) => fileName.test(name))
    .sort()
    .reverse();
  const texts: string[] = [];
  let remainingBytes = maxBytes;
  for (const name of newestFirst) {
    if (remainingBytes <= 0) break;
    const text = await endOf(join(directory, name), remainingBytes).catch(() => '');
    texts.unshift(text);
    remainingBytes -= Buffer.byteLength(text);
  }
  return texts.join('').split('\n').filter(Boolean).map(readable);
}

/** An entry as text; any other line unchanged. */
function readable(line: string): string {
  try {
    return textOf(JSON.parse(line) as LogEntry);
  } catch {
    return line;
  }
}

/** Returns complete lines only. */
async function endOf(path: string, maxBytes: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - maxBytes);
    const bytes = Buffer.alloc(size - start);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
    const text = bytes.toString('utf8', 0, bytesRead);
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await file.close();
  }
}
