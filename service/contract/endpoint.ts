import type { z } from 'zod';

/**
 * Who may call a route.
 * - `open`: anyone on this machine (the Host and Origin checks still hold)
 * - `token`: the header `X-Host-Token`; with `developer` also with the token of developer mode
 * - `setup`: nobody needs a token while the service is in SETUP mode; in APP mode the handler decides
 * - `setup-or-token`: open in SETUP mode, the token in APP mode
 * - `ticket`: a one-time `?ticket=` of that family; with `orToken` the token header serves as well
 */
export type Access =
  | { kind: 'open' }
  | { kind: 'token'; developer?: true }
  | { kind: 'setup' }
  | { kind: 'setup-or-token' }
  | { kind: 'ticket'; family: TicketFamily; orToken: boolean };

export type TicketFamily = 'chat' | 'agent' | 'notifications';

export const open: Access = { kind: 'open' };
export const token: Access = { kind: 'token' };
export const developerToken: Access = { kind: 'token', developer: true };
export const setup: Access = { kind: 'setup' };
export const setupOrToken: Access = { kind: 'setup-or-token' };
export const ticket = (family: TicketFamily, { orToken }: { orToken: boolean }): Access => ({
  kind: 'ticket',
  family,
  orToken,
});

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * A multipart body: a file field that is streamed, and text fields that are validated. Fields whose
 * name ends with `[]` may come many times and are arrays.
 */
export interface Multipart<F extends z.ZodType = z.ZodType, M extends boolean = boolean> {
  kind: 'multipart';
  file: string;
  /** Whether the file field may come many times. */
  many: M;
  fields: F;
  /** The fields may come as a JSON body, without a file. */
  orJson?: true;
}

export const multipart = <F extends z.ZodType>(file: string, fields: F): Multipart<F, false> => ({
  kind: 'multipart',
  file,
  many: false,
  fields,
});

/** A multipart body with one file, or its fields alone as JSON. */
export const multipartOrJson = <F extends z.ZodType>(
  file: string,
  fields: F,
): Multipart<F, false> => ({ ...multipart(file, fields), orJson: true });

export const multipartFiles = <F extends z.ZodType>(
  file: string,
  fields: F,
): Multipart<F, true> => ({ kind: 'multipart', file, many: true, fields });

/** What an endpoint answers with when it is not one JSON document. */
export interface EventStream<E extends Record<string, z.ZodType> = Record<string, z.ZodType>> {
  kind: 'events';
  events: E;
}

export const events = <E extends Record<string, z.ZodType>>(map: E): EventStream<E> => ({
  kind: 'events',
  events: map,
});

/** An answer of bytes that are streamed. */
export interface ByteStream {
  kind: 'bytes';
  contentType: string;
}

export const bytes = (contentType: string): ByteStream => ({ kind: 'bytes', contentType });

/**
 * One operation of the API. `path` uses `{name}` for parameters.
 * Request validation, the typed handler, the typed client and OpenAPI are all read from this value.
 */
export interface Endpoint {
  method: Method;
  path: string;
  access: Access;
  summary: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType | Multipart;
  /** Largest JSON body in bytes; default 8 MiB. */
  maxBodyBytes?: number;
  /** Absent: 204 without a body. */
  reply?: z.ZodType | EventStream | ByteStream;
  /** What is answered instead where a client asks for `text/event-stream`. */
  stream?: EventStream;
  /** What 202 carries where a client does not want to wait (`Prefer: respond-async`). */
  accepted?: z.ZodType;
  /** Default: 200 with a reply, 204 without one. */
  status?: number;
  /** Codes of the problems that a caller should expect, for the API description. */
  problems?: readonly string[];
}

/** Keeps the literal types of one endpoint. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition;

export type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;
export type Sent<T> = T extends z.ZodType ? z.input<T> : undefined;

type Body<E extends Endpoint> =
  E['body'] extends Multipart<infer F> ? z.output<F> : Parsed<E['body']>;

/** What a handler of `E` is given once everything was validated. */
export interface Input<E extends Endpoint> {
  params: Parsed<E['params']>;
  query: Parsed<E['query']>;
  body: Body<E>;
}

/** What a handler of `E` returns. */
export type Reply<E extends Endpoint> = E['reply'] extends z.ZodType
  ? z.input<E['reply']>
  : undefined;

/** What a client of `E` receives. */
export type Received<E extends Endpoint> = Parsed<E['reply']>;

/** The events of `E`, as its answer or instead of it. */
export type EventsOf<E extends Endpoint> = E['stream'] extends EventStream
  ? E['stream']
  : E['reply'];

export type EventOf<S> =
  S extends EventStream<infer M>
    ? { [K in keyof M & string]: { event: K; data: z.output<M[K]> } }[keyof M & string]
    : never;
