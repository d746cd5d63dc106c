import type { IncomingMessage } from 'node:http';
import type { Endpoint, Input, Multipart, Reply } from '../contract/index.ts';
import type { EventSource, FileReply, StreamReply, TextReply } from './reply.ts';
import type { UploadedFile } from './uploads.ts';

/** What a handler is given. `file` is there for multipart endpoints and is removed after the handler. */
export type Call<E extends Endpoint> = Input<E> & {
  req: IncomingMessage;
  /** Aborted when the client has left before the answer was sent. */
  readonly signal: AbortSignal;
} & (E['body'] extends Multipart ? { file: UploadedFile } : unknown);

export type Answer<E extends Endpoint> = E['reply'] extends { kind: 'events' }
  ? EventSource
  : E['reply'] extends { kind: 'bytes' }
    ? StreamReply
    : Reply<E> | FileReply | TextReply;

export type Handler<E extends Endpoint> = (call: Call<E>) => Answer<E> | Promise<Answer<E>>;

/** An endpoint and what answers it. */
export interface Route {
  endpoint: Endpoint;
  handle: (call: never) => unknown;
}

export const route = <E extends Endpoint>(endpoint: E, handle: Handler<E>): Route => ({
  endpoint,
  handle,
});
