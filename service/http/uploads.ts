import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { HostError } from '../core/host-error.ts';
import { bodyStallMs, stalled } from './json-body.ts';

export const maxUploadBytes = 2 * 1024 ** 3;
const maxFields = 20;
const maxFieldBytes = 64 * 1024;

/** A file that came in, on disk until the handler is done. */
export interface UploadedFile {
  path: string;
  /** As the client named it; never used as a path. */
  name: string;
  sizeBytes: number;
  /** Lower-case hex. */
  sha256: string;
}

export interface Upload {
  file: UploadedFile;
  fields: Record<string, string>;
}

/** Streams the file field `fileField` to `directory`, hashed as it comes. Nothing stays on disk when it fails. */
export async function receiveUpload(
  req: IncomingMessage,
  fileField: string,
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
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, `upload-${randomUUID()}`);
  try {
    return await receive(req, fileField, path);
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

function tooLarge(): HostError {
  return new HostError('too-large', 'upload_too_large', 'The file is larger than 2 GiB.');
}

async function receive(req: IncomingMessage, fileField: string, path: string): Promise<Upload> {
  const parser = openParser(req);
  const fields: Record<string, string> = {};
  const broken = new AbortController();
  let saving: Promise<UploadedFile> | undefined;
  parser.on('field', (name: string, value: string, _cut: boolean, valueTruncated: boolean) => {
    if (valueTruncated)
      parser.destroy(
        new HostError('too-large', 'field_too_large', `The field ${name} is too long.`),
      );
    fields[name] = value;
  });
  parser.on('file', (name: string, stream: BusboyFileStream, fileName: string) => {
    // A part that breaks off says so more than once; the parser's own error is the one that counts.
    stream.on('error', () => undefined);
    if (name !== fileField || saving !== undefined) {
      stream.resume();
      parser.destroy(
        new HostError(
          'invalid',
          'unexpected_file',
          `Send exactly one file, in the field "${fileField}".`,
        ),
      );
      return;
    }
    saving = save(stream, { path, name: fileName }, broken.signal);
    saving.catch((error: unknown) => parser.destroy(error as Error));
  });
  try {
    await feed(req, parser);
  } catch (error) {
    // Until the file is closed, its space is not given back.
    broken.abort();
    await saving?.catch(() => undefined);
    throw error;
  }
  if (saving === undefined) {
    throw new HostError('invalid', 'file_missing', `Send a file in the field "${fileField}".`);
  }
  return { file: await saving, fields };
}

function openParser(req: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({
      headers: req.headers as { 'content-type': string },
      limits: { fileSize: maxUploadBytes, files: 2, fields: maxFields, fieldSize: maxFieldBytes },
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

async function save(
  source: NodeJS.ReadableStream & { truncated?: boolean },
  { path, name }: { path: string; name: string },
  signal: AbortSignal,
): Promise<UploadedFile> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      done(null, chunk);
    },
  });
  await pipeline(source, measure, createWriteStream(path, { mode: 0o600, flags: 'wx' }), {
    signal,
  });
  if (source.truncated) throw tooLarge();
  return { path, name, sizeBytes, sha256: hash.digest('hex') };
}
