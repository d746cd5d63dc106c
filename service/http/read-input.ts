import { rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { z } from 'zod';
import type { Endpoint, Multipart } from '../contract/index.ts';
import { type FieldError, HostError } from '../core/host-error.ts';
import { defaultMaxBodyBytes, readJsonBody } from './json-body.ts';
import { receiveUpload, type UploadedFile } from './uploads.ts';
import { issueMessages, type Message, msg } from '../messages/index.ts';

/** The validated input of a request, with its upload. */
export interface ReadCall {
  params: unknown;
  query: unknown;
  body: unknown;
  req: Request;
  /** Aborted when the client disconnects before the response is sent. */
  readonly signal: AbortSignal;
  file?: UploadedFile;
  files?: UploadedFile[];
  /** Deletes the files of the upload; called after the handler. */
  discardUpload?: () => Promise<void>;
}

/**
 * Reads and validates the input that the endpoint declares. A parameter that cannot be an id leads
 * to 404.
 */
export async function readInput(
  endpoint: Endpoint,
  req: Request,
  res: ServerResponse,
  uploadDirectory: string,
): Promise<ReadCall> {
  const call: ReadCall = {
    params: readParams(endpoint, req),
    query: endpoint.query
      ? validate(endpoint.query, req.query, 'query.', 'invalid_query')
      : undefined,
    body: undefined,
    req,
    get signal() {
      return signalOf(res);
    },
  };
  if (endpoint.body === undefined) return call;
  const schema = jsonSchemaOf(endpoint.body, req);
  if (isMultipart(schema)) return readUpload(schema, call, uploadDirectory);
  const body = await readJsonBody(req, endpoint.maxBodyBytes ?? defaultMaxBodyBytes);
  call.body = validate(schema, body, '', 'invalid_body');
  return call;
}

function readParams(endpoint: Endpoint, req: Request): unknown {
  if (!endpoint.params) return undefined;
  const result = endpoint.params.safeParse(req.params);
  if (result.success) return result.data;
  throw new HostError('missing', 'not_found', msg('request.notFound'));
}

const isMultipart = (body: z.ZodType | Multipart): body is Multipart =>
  'kind' in body && body.kind === 'multipart';

/** Returns the schema of the fields if the upload is sent as JSON and may be. */
const jsonSchemaOf = (body: z.ZodType | Multipart, req: Request): z.ZodType | Multipart =>
  isMultipart(body) && body.orJson && isJson(req) ? body.fields : body;

const isJson = (req: Request): boolean =>
  /^application\/json\b/i.test(req.headers['content-type'] ?? '');

async function readUpload(body: Multipart, call: ReadCall, directory: string): Promise<ReadCall> {
  const upload = await receiveUpload(call.req, body, directory);
  // Files that cannot be deleted now are deleted at the next start; the request itself succeeds.
  const discardUpload = (): Promise<void> =>
    rm(upload.folder, { recursive: true, force: true }).catch(() => undefined);
  try {
    return Object.assign(call, {
      body: validate(body.fields, upload.fields, '', 'invalid_body'),
      ...(body.many ? { files: upload.files } : { file: upload.files[0] }),
      discardUpload,
    });
  } catch (error) {
    await discardUpload();
    throw error;
  }
}

function validate(schema: z.ZodType, value: unknown, prefix: string, code: string): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  // A body may have an issue for each of its values, and each message costs time.
  const errors = issueMessages(result.error.issues.slice(0, maxFieldErrors), value)
    .slice(0, maxFieldErrors)
    .map(({ path, message }): FieldError => ({ path: prefix + path, message }));
  throw new HostError('invalid', code, invalidRequest(errors), { errors });
}

const maxFieldErrors = 50;

function invalidRequest([first]: FieldError[]): Message {
  const { path = '', message: problem = msg('field.notValid') } = first ?? {};
  return path === ''
    ? msg('request.invalidWhole', { problem })
    : msg('request.invalid', { path, problem });
}

function signalOf(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (res.destroyed) controller.abort();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}
