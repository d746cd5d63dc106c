import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import type { Endpoint, Input, Multipart, Reply } from '../contract/index.ts';
import type {
  AcceptedReply,
  EventSource,
  EventsReply,
  FileReply,
  JsonReply,
  StreamReply,
  TextReply,
} from './reply.ts';
import type { UploadedFile } from './uploads.ts';

/**
 * Input of a handler. Multipart endpoints have the upload; its remaining files are deleted after
 * the handler.
 */
export type Call<E extends Endpoint> = Input<E> & {
  req: IncomingMessage;
  /** Aborted when the client disconnects before the response is sent. */
  readonly signal: AbortSignal;
} & Uploads<E['body']>;

type Uploads<B> =
  B extends Multipart<z.ZodType, true>
    ? { files: UploadedFile[] }
    : B extends Multipart
      ? { file: UploadedFile }
      : unknown;

export type Answer<E extends Endpoint> = E['reply'] extends { kind: 'events' }
  ? EventSource
  : E['reply'] extends { kind: 'bytes' }
    ? StreamReply
    : Reply<E> | AcceptedReply | EventsReply | FileReply | JsonReply | TextReply;

export type Handler<E extends Endpoint> = (call: Call<E>) => Answer<E> | Promise<Answer<E>>;

/** An endpoint and its handler. */
export interface Route {
  endpoint: Endpoint;
  handle: (call: never) => unknown;
  /** Folder of received uploads, if copies are stored on another disk than usual. */
  uploadDirectory?: () => Promise<string>;
}

export const route = <E extends Endpoint>(
  endpoint: E,
  handle: Handler<E>,
  more: Pick<Route, 'uploadDirectory'> = {},
): Route => ({ endpoint, handle, ...more });
