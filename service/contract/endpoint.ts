import type { z } from 'zod';

/**
 * Access control of a route.
 * - `open`: everyone on this machine; the Host and Origin checks still apply
 * - `token`: the header `X-Host-Token`; with `developer`, also the token of developer mode
 * - `setup`: no token in SETUP mode; in APP mode the handler decides
 * - `setup-or-token`: no token in SETUP mode, the token in APP mode
 * - `ticket`: a one-time `?ticket=` of that family; with `orToken`, also the token header
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
 * A multipart body: a streamed file field, and validated text fields. Fields whose name ends with
 * `[]` are arrays and can occur several times.
 */
export interface Multipart<F extends z.ZodType = z.ZodType, M extends boolean = boolean> {
  kind: 'multipart';
  file: string;
  /** True if the file field can occur several times. */
  many: M;
  fields: F;
  /** The fields can also be sent as a JSON body, without a file. */
  orJson?: true;
}

export const multipart = <F extends z.ZodType>(file: string, fields: F): Multipart<F, false> => ({
  kind: 'multipart',
  file,
  many: false,
  fields,
});

/** A multipart body with one file, or only its fields as JSON. */
export const multipartOrJson = <F extends z.ZodType>(
  file: string,
  fields: F,
): Multipart<F, false> => ({ ...multipart(file, fields), orJson: true });

export const multipartFiles = <F extends z.ZodType>(
  file: string,
  fields: F,
): Multipart<F, true> => ({ kind: 'multipart', file, many: true, fields });

/** A response of server-sent events, by event name. */
export interface EventStream<E extends Record<string, z.ZodType> = Record<string, z.ZodType>> {
  kind: 'events';
  events: E;
}

export const events = <E extends Record<string, z.ZodType>>(map: E): EventStream<E> => ({
  kind: 'events',
  events: map,
});

/** A response of streamed bytes. */
export interface ByteStream {
  kind: 'bytes';
  contentType: string;
}

export const bytes = (contentType: string): ByteStream => ({ kind: 'bytes', contentType });

/**
 * An operation of the API. `path` contains parameters as `{name}`. Request validation, the typed
 * handler, the typed client and OpenAPI are derived from this value.
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
  /** Response to clients that accept `text/event-stream`. */
  stream?: EventStream;
  /** Body of 202 for clients that do not wait (`Prefer: respond-async`). */
  accepted?: z.ZodType;
  /** Default: 200 with a reply, 204 without. */
  status?: number;
  /** Problem codes that a caller should expect, for the API description. */
  problems?: readonly string[];
}

/** Preserves the literal types of an endpoint. */
export const endpoint = <const E extends Endpoint>(definition: E): E => definition;

export type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;
export type Sent<T> = T extends z.ZodType ? z.input<T> : undefined;

type Body<E extends Endpoint> =
  E['body'] extends Multipart<infer F> ? z.output<F> : Parsed<E['body']>;

/** Validated input of the handler of `E`. */
export interface Input<E extends Endpoint> {
  params: Parsed<E['params']>;
  query: Parsed<E['query']>;
  body: Body<E>;
}

/** Return type of the handler of `E`. */
export type Reply<E extends Endpoint> = E['reply'] extends z.ZodType
  ? z.input<E['reply']>
  : undefined;

/** Result of `E` for a client. */
export type Received<E extends Endpoint> = Parsed<E['reply']>;

/** Events of `E`, as its reply or as its stream. */
export type EventsOf<E extends Endpoint> = E['stream'] extends EventStream
  ? E['stream']
  : E['reply'];

export type EventOf<S> =
  S extends EventStream<infer M>
    ? { [K in keyof M & string]: { event: K; data: z.output<M[K]> } }[keyof M & string]
    : never;
