import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { Multipart } from '../contract/index.ts';
import { HostError } from '../core/host-error.ts';
import { readPart } from './incoming-part.ts';
import { bodyStallMs, stalled } from './json-body.ts';

export const maxUploadBytes = 2 * 1024 ** 3;
const maxFields = 20;
const maxFiles = 100_000;
const maxFieldBytes = 64 * 1024;
/** Fields are held in memory. */
const maxAllFieldBytes = 32 * 1024 ** 2;
/** The system has four threads for files; more would keep them from the others. */
const writesAtOnce = 4;

/** A file that came in, on disk until the handler is done. */
export interface UploadedFile {
  path: string;
  /** As the client named it; never used as a path. */
  name: string;
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
}

type Fields = Record<string, string | string[]>;

export interface Upload {
  /** Holds the files; whoever asked removes it. */
  folder: string;
  /** In the order in which they came. */
  files: UploadedFile[];
  fields: Fields;
}

/** What is expected: one file in that field, or with `many` any number of them. */
export type Expected = Pick<Multipart, 'file' | 'many'>;

/** Streams the files to a new folder in `directory`, hashed as they come. Nothing stays on disk when it fails. */
export async function receiveUpload(
  req: IncomingMessage,
  expected: Expected,
  directory: string,
): Promise<Upload> {
  if (!/^multipart\/form-data\s*;/i.test(req.headers['content-type'] ?? '')) {
    throw new HostError(
      'wrong-content-type',
      'wrong_content_type',
      'Send the file as multipart/form-data.',
    );
  }
  if (Number(req.headers['content-length'] ?? 0) > maxUploadBytes + maxFieldBytes) throw tooLarge();
  const folder = join(directory, `upload-${randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    return { folder, ...(await new Reception(req, expected, folder).run()) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

function tooLarge(): HostError {
  return new HostError('too-large', 'upload_too_large', 'The upload is larger than 2 GiB.');
}

/**
 * One body: its files are read one after the other, so that many need no more than one at a time; the
 * small ones are written together.
 */
class Reception {
  private readonly req: IncomingMessage;
  private readonly expected: Expected;
  private readonly folder: string;
  private readonly parser: BusboyInstance;
  private readonly broken = new AbortController();
  private readonly fields: Fields = {};
  private readonly files: UploadedFile[] = [];
  private reading: Promise<void> = Promise.resolve();
  /** Those that have failed stay. */
  private readonly writing = new Set<Promise<void>>();
  private begun = 0;
  private receivedBytes = 0;
  private fieldBytes = 0;

  constructor(req: IncomingMessage, expected: Expected, folder: string) {
    this.req = req;
    this.expected = expected;
    this.folder = folder;
    this.parser = openParser(req, expected);
  }

  async run(): Promise<{ files: UploadedFile[]; fields: Fields }> {
    const { parser, expected } = this;
    parser.on('field', (name: string, value: string, _cut: boolean, truncated: boolean) =>
      this.takeField(name, value, truncated),
    );
    parser.on('file', (name: string, stream: BusboyFileStream, fileName: string) =>
      this.takeFile(name, stream, fileName),
    );
    for (const event of ['filesLimit', 'fieldsLimit'] as const)
      parser.on(event, () => parser.destroy(tooMany()));
    try {
      await feed(this.req, parser);
      await this.reading;
      await Promise.all(this.writing);
    } catch (error) {
      // Until a file is closed, its space is not given back.
      this.broken.abort();
      await this.reading.catch(() => undefined);
      await Promise.allSettled(this.writing);
      throw error;
    }
    if (this.files.length === 0) {
      const message = `Send a file in the field "${expected.file}".`;
      throw new HostError('invalid', 'file_missing', message);
    }
    return { files: this.files, fields: this.fields };
  }

  private takeField(name: string, value: string, truncated: boolean): void {
    this.fieldBytes += Buffer.byteLength(value);
    if (truncated || this.fieldBytes > maxAllFieldBytes)
      this.parser.destroy(
        new HostError('too-large', 'field_too_large', `The field ${name} is too long.`),
      );
    const known = this.fields[name];
    if (!name.endsWith('[]')) this.fields[name] = value;
    else if (Array.isArray(known)) known.push(value);
    else this.fields[name] = [value];
  }

  private takeFile(name: string, stream: BusboyFileStream, fileName: string): void {
    // A part that breaks off says so more than once; the parser's own error is the one that counts.
    stream.on('error', () => undefined);
    const { file, many } = this.expected;
    if (name !== file || (!many && this.begun > 0)) {
      stream.resume();
      const message = many
        ? `Send files in the field "${file}" only.`
        : `Send exactly one file, in the field "${file}".`;
      this.parser.destroy(new HostError('invalid', 'unexpected_file', message));
      return;
    }
    const place = this.begun;
    this.begun += 1;
    this.reading = this.reading.then(() => this.read(stream, fileName, place));
    this.reading.catch((error: unknown) => this.parser.destroy(error as Error));
  }

  private async read(stream: BusboyFileStream, name: string, place: number): Promise<void> {
    const path = join(this.folder, String(place));
    const { kept, ...facts } = await readPart(stream, path, this.broken.signal);
    this.receivedBytes += facts.sizeBytes;
    if (stream.truncated || this.receivedBytes > maxUploadBytes) throw tooLarge();
    this.files[place] = { path, name, ...facts };
    if (kept === null) return;
    while (this.writing.size >= writesAtOnce) await Promise.race(this.writing);
    const written = writeFile(path, kept, { mode: 0o600, flag: 'wx' });
    this.writing.add(written);
    written.then(
      () => this.writing.delete(written),
      (error: unknown) => this.parser.destroy(error as Error),
    );
  }
}

function tooMany(): HostError {
  const message = `One upload takes ${maxFiles} files at most.`;
  return new HostError('too-large', 'too_many_files', message);
}

function openParser(req: IncomingMessage, { many }: Expected): BusboyInstance {
  try {
    return new Busboy({
      headers: req.headers as { 'content-type': string },
      limits: {
        fileSize: maxUploadBytes,
        files: many ? maxFiles : 2,
        fields: maxFields + (many ? maxFiles : 0),
        fieldSize: maxFieldBytes,
      },
    });
  } catch {
    throw new HostError('invalid', 'invalid_multipart', 'The multipart body has no boundary.');
  }
}

/** Piped by hand: `pipeline` would end the connection on a failure, and the client would see no answer. */
async function feed(req: IncomingMessage, parser: BusboyInstance): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      req.setTimeout(bodyStallMs, () => reject(stalled()));
      req.once('aborted', () =>
        reject(new HostError('invalid', 'aborted', 'The upload was aborted.')),
      );
      parser.on('error', reject);
      parser.once('finish', resolve);
      req.pipe(parser);
    });
  } catch (error) {
    if (error instanceof HostError || isSystemError(error)) throw error;
    throw new HostError(
      'invalid',
      'invalid_multipart',
      'The multipart body is broken or incomplete.',
      {
        cause: error,
      },
    );
  } finally {
    req.unpipe(parser);
    req.setTimeout(0);
    req.resume();
  }
}

function isSystemError(error: unknown): boolean {
  return typeof (error as { syscall?: unknown }).syscall === 'string';
}
