import { createWriteStream, mkdirSync, readdirSync, rmSync, type WriteStream } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const keepFiles = 7;
const fileName = /^host-\d{4}-\d\d-\d\d\.log$/;

/** One file a day in `directory`; the last seven are kept. */
export class LogFile {
  private readonly directory: string;
  private day: string;
  private stream: WriteStream;

  constructor(directory: string) {
    this.directory = directory;
    this.day = dayOf(new Date());
    this.stream = openDay(directory, this.day);
  }

  write(line: string, now: Date): void {
    this.turnPage(now);
    this.stream.write(line);
  }

  /** Resolves once every line so far is in the file, or cannot get there. */
  flush(): Promise<void> {
    return new Promise((resolve) => this.stream.write('', () => resolve()));
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.stream.end(resolve));
  }

  private turnPage(now: Date): void {
    if (dayOf(now) === this.day) return;
    this.day = dayOf(now);
    try {
      const next = openDay(this.directory, this.day);
      this.stream.end();
      this.stream = next;
    } catch {
      // The old file still takes the lines.
    }
  }
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

function openDay(directory: string, day: string): WriteStream {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const name = `host-${day}.log`;
  const old = readdirSync(directory).filter((other) => fileName.test(other));
  const others = old.filter((other) => other !== name).sort();
  for (const other of others.slice(0, 1 - keepFiles))
    rmSync(join(directory, other), { force: true });
  const stream = createWriteStream(join(directory, name), { flags: 'a', mode: 0o600 });
  // A full disk must not end the host; the lines still reach stderr.
  stream.on('error', () => undefined);
  return stream;
}

/** The last lines of the newest files, oldest first: at most `maxBytes` of them. */
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
  return texts.join('').split('\n').filter(Boolean);
}

/** Whole lines alone. */
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
