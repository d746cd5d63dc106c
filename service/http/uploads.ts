import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Request, Response } from 'express';
import type { MulterError, Options, StorageEngine } from 'multer';
import type { Multipart } from '../contract/index.ts';
import { HostError } from '../core/host-error.ts';
import { readPart } from './incoming-part.ts';
import { bodyStallMs, stalled } from './json-body.ts';
import { type Message, msg } from '../messages/index.ts';

const maxUploadBytes = 2 * 1024 ** 3;
const maxFields = 20;
const maxFiles = 100_000;
const maxFieldBytes = 64 * 1024;
/** Limit of all fields together, which are held in memory, in bytes. */
const maxAllFieldBytes = 32 * 1024 ** 2;
/** Limit of fields and part headers together, in bytes. */
const maxBesideFiles = 64 * 1024 ** 2;
/**
 * Bytes that are still read after a refusal, so that the client can read the response; then the
 * connection is closed.
 */
const maxDrainedBytes = 64 * 1024 ** 2;
/** Node has four threads for file access; more writes would block other requests. */
const writesAtOnce = 4;

/** A received file, on disk until the handler has ended. */
export interface UploadedFile {
  path: string;
  /** File name from the client; never used as a path. */
  name: string;
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
}

type Fields = Record<string, string | string[]>;

/** The files and text fields of a multipart body. */
export interface Upload {
  /** Contains the files; the caller removes it. */
  folder: string;
  /** In the order of arrival. */
  files: UploadedFile[];
  fields: Fields;
}

/** The expected field: one file, or with `many` any number of them. */
export type Expected = Pick<Multipart, 'file' | 'many'>;

/**
 * Streams the files to a new folder in `directory` and hashes them. Leaves nothing on disk when it
 * fails.
 */
export async function receiveUpload(
  req: IncomingMessage,
  expected: Expected,
  directory: string,
  maxBytes = maxUploadBytes,
): Promise<Upload> {
  if (!/^multipart\/form-data\s*;/i.test(req.headers['content-type'] ?? '')) {
    throw new HostError('wrong-content-type', 'wrong_content_type', msg('upload.sendMultipart'));
  }
  if (Number(req.headers['content-length'] ?? 0) > maxUploadBytes + maxFieldBytes) throw tooLarge();
  const folder = join(directory, `upload-${randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    return { folder, ...(await new Reception(req, expected, { folder, maxBytes }).run()) };
  } catch (error) {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
}

function tooLarge(): HostError {
  return new HostError('too-large', 'upload_too_large', msg('upload.tooLarge'));
}

/** An option of multer that its types lack. */
interface StreamedOptions extends Options {
  /** Feeds the body to the parser. */
  streamHandler: (req: IncomingMessage, parser: Writable) => void;
}

/**
 * Receives one body: files are read one after the other, so only one is in memory at a time; small
 * files are written in batches.
 */
class Reception implements StorageEngine {
  private readonly req: IncomingMessage;
  private readonly expected: Expected;
  private readonly folder: string;
  private readonly maxBytes: number;
  private readonly broken = new AbortController();
  private readonly failure = Promise.withResolvers<never>();
  private readonly files: UploadedFile[] = [];
  private reading: Promise<void> = Promise.resolve();
  private readonly writing = new Set<Promise<void>>();
  private fileCount = 0;
  private bodyBytes = 0;
  private receivedBytes = 0;
  private fieldBytes = 0;

  constructor(
    req: IncomingMessage,
    expected: Expected,
    { folder, maxBytes }: { folder: string; maxBytes: number },
  ) {
    this.req = req;
    this.expected = expected;
    this.folder = folder;
    this.maxBytes = maxBytes;
    this.failure.promise.catch(() => undefined);
  }

  async run(): Promise<{ files: UploadedFile[]; fields: Fields }> {
    const { req, expected } = this;
    req.setTimeout(bodyStallMs, () => this.fail(stalled()));
    try {
      // After a failure, multer would wait for the rest of the body.
      await Promise.race([this.parse(), this.failure.promise]);
      await this.reading;
      await Promise.all(this.writing);
    } catch (error) {
      // Disk space is released only when the file is closed.
      this.broken.abort();
      await this.reading.catch(() => undefined);
      await Promise.allSettled(this.writing);
      throw uploadError(error);
    } finally {
      req.setTimeout(0);
      req.unpipe();
      req.resume();
    }
    if (this.files.length === 0) throw fileMissing(expected.file);
    return { files: this.files, fields: fieldsOf(req) };
  }

  /** Called by multer for each file. */
  _handleFile(
    _req: Request,
    { fieldname, originalname, stream }: Express.Multer.File,
    callback: (error?: unknown, info?: Partial<Express.Multer.File>) => void,
  ): void {
    const { file, many } = this.expected;
    if (fieldname !== file || (!many && this.fileCount > 0)) {
      stream.resume();
      const message = many
        ? msg('upload.filesInField', { field: file })
        : msg('upload.oneFile', { field: file });
      this.fail(new HostError('invalid', 'unexpected_file', message));
      return;
    }
    const index = this.fileCount;
    this.fileCount += 1;
    this.reading = this.reading.then(() => this.read(stream, originalname, index));
    this.reading.then(
      () => callback(null, {}),
      (error: unknown) => this.fail(error),
    );
  }

  /** The folder is removed as a whole. */
  _removeFile(_req: Request, _file: Express.Multer.File, callback: (error: null) => void): void {
    callback(null);
  }

  private async parse(): Promise<void> {
    const { many } = this.expected;
    const options: StreamedOptions = {
      storage: this,
      defParamCharset: 'utf8',
      limits: {
        fileSize: this.maxBytes,
        files: many ? maxFiles : 2,
        fields: maxFields + (many ? maxFiles : 0),
        fieldSize: maxFieldBytes,
        fieldNestingDepth: 1,
        fieldArrayIndexLimit: 0,
      },
      streamHandler: (req, parser) => {
        parser.on('error', (error) => this.fail(error));
        // Multer reports these limits only after the last byte, which may never come.
        for (const name of ['partsLimit', 'filesLimit', 'fieldsLimit'])
          parser.on(name, () => this.fail(tooMany()));
        parser.on('field', (name: string, value: string) => this.countField(name, value));
        req.on('data', ({ length }: Buffer) => this.countBody(length));
        req.pipe(parser);
      },
    };
    // Imported on first use, so that the start of the host is faster.
    const { default: multer } = await import('multer');
    const receive = multer(options).any();
    await new Promise<void>((resolve, reject) => {
      // Multer sends no response itself.
      const response = {} as unknown as Response;
      receive(this.req as Request, response, (error?: unknown) => {
        if (error instanceof Error) reject(error);
        else resolve();
      });
    });
  }

  /** Also counts bytes outside of any part, which the parser ignores. */
  private countBody(length: number): void {
    this.bodyBytes += length;
    const excess = this.bodyBytes - this.maxBytes - maxBesideFiles;
    if (excess > 0) this.fail(tooLarge());
    if (excess > maxDrainedBytes) this.req.destroy();
  }

  private countField(name: string, value: string): void {
    // A part without a file name is a field.
    if (name === this.expected.file) this.fail(fileMissing(name));
    this.fieldBytes += Buffer.byteLength(value);
    if (this.fieldBytes > maxAllFieldBytes) this.fail(fieldTooLarge(name));
  }

  private fail(error: unknown): void {
    this.failure.reject(error);
  }

  private async read(stream: Readable, name: string, index: number): Promise<void> {
    const path = join(this.folder, String(index));
    const { buffered, ...facts } = await readPart(stream, path, this.broken.signal);
    this.receivedBytes += facts.sizeBytes;
    if (this.receivedBytes > this.maxBytes) throw tooLarge();
    this.files[index] = { path, name, ...facts };
    if (buffered === null) return;
    while (this.writing.size >= writesAtOnce) await Promise.race(this.writing);
    const written = writeFile(path, buffered, { mode: 0o600, flag: 'wx' });
    this.writing.add(written);
    written.then(
      () => this.writing.delete(written),
      (error: unknown) => this.fail(error),
    );
  }
}

/** The fields by the names they were sent with; multer drops the brackets of `name[]`. */
function fieldsOf({ body }: IncomingMessage & { body?: Record<string, unknown> }): Fields {
  const entries = Object.entries(body ?? {}).map(([name, value]) =>
    Array.isArray(value) ? [`${name}[]`, value] : [name, value],
  );
  return Object.fromEntries(entries) as Fields;
}

function fileMissing(field: string): HostError {
  const message = msg('upload.fileMissing', { field });
  return new HostError('invalid', 'file_missing', message);
}

function fieldTooLarge(name = ''): HostError {
  return new HostError('too-large', 'field_too_large', msg('upload.fieldTooLong', { name }));
}

function tooMany(): HostError {
  const message = msg('upload.tooManyFiles', { limit: maxFiles });
  return new HostError('too-large', 'too_many_files', message);
}

function uploadError(error: unknown): unknown {
  if (error instanceof HostError || isSystemError(error)) return error;
  if (isOfMulter(error)) return multerErrorToHostError(error);
  const text = error instanceof Error ? error.message : '';
  if (/^Request (?:aborted|closed)/.test(text))
    return new HostError('invalid', 'aborted', msg('upload.aborted'));
  if (/^Malformed part header/.test(text)) return invalidBody(unreadableName, error);
  if (/Boundary not found/.test(text)) return invalidBody(msg('upload.noBoundary'), error);
  return invalidBody(msg('upload.broken'), error);
}

const isOfMulter = (error: unknown): error is MulterError =>
  error instanceof Error && error.name === 'MulterError';

function multerErrorToHostError(error: MulterError): HostError {
  const { code, field } = error;
  if (code === 'LIMIT_FILE_SIZE') return tooLarge();
  if (code === 'LIMIT_FIELD_VALUE') return fieldTooLarge(field);
  if (code === 'LIMIT_FILE_COUNT' || code === 'LIMIT_FIELD_COUNT') return tooMany();
  return invalidBody(msg('upload.broken'), error);
}

const unreadableName = msg('upload.unreadableName');

const invalidBody = (message: Message, cause: unknown): HostError =>
  new HostError('invalid', 'invalid_multipart', message, { cause });

function isSystemError(error: unknown): boolean {
  return typeof (error as { syscall?: unknown }).syscall === 'string';
}
