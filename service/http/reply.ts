import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** One event of a stream. Sending the same object to many listeners serializes it once. */
export interface StreamEvent {
  event: string;
  data: unknown;
  /** Number of the event, for readers that reconnect. */
  id?: number;
}

/**
 * A stream, returned by the handler of a stream endpoint. `open` is called once; its result is
 * called when the client disconnects.
 */
export interface EventSource {
  greeting?: string;
  /** Idle time after which a comment is sent, in ms. */
  heartbeatMs?: number;
  /** Most bytes buffered for a client that does not read; default 16 MiB. */
  maxBufferedBytes?: number;
  /**
   * The stream replaces a response: its final `error` frame contains the whole problem, which is
   * logged like one.
   */
  endsWithProblem?: boolean;
  open(sink: EventSink): () => void;
}

/** The sending end of an event stream. */
export interface EventSink {
  send(event: StreamEvent): void;
  /** Ends the stream; an error is sent first, as a final `error` frame. */
  end(error?: unknown): void;
}

/** An event stream as the response. */
export class EventsReply {
  readonly source: EventSource;

  constructor(source: EventSource) {
    this.source = source;
  }
}

/** Response 202: the work continues after it. */
export class AcceptedReply {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** An open file that is streamed as the response. The sender closes it. */
export class FileReply {
  readonly file: FileHandle;
  /** File name whose extension determines the content type. */
  readonly name: string;
  readonly headers: Record<string, string>;

  constructor(file: FileHandle, name: string, headers: Record<string, string>) {
    this.file = file;
    this.name = name;
    this.headers = headers;
  }
}

/** A small generated document. */
export class TextReply {
  readonly text: string;
  readonly headers: Record<string, string>;

  constructor(text: string, headers: Record<string, string>) {
    this.text = text;
    this.headers = headers;
  }
}

/** Serialized JSON, for responses whose parts are serialized once and sent often. */
export class JsonReply {
  readonly pieces: readonly Buffer[];

  constructor(pieces: readonly Buffer[]) {
    this.pieces = pieces;
  }
}

/**
 * Bytes that are sent at the speed of the client. `body` is destroyed when the client disconnects.
 */
export class StreamReply {
  readonly body: Readable;
  readonly headers: Record<string, string>;

  constructor(body: Readable, headers: Record<string, string>) {
    this.body = body;
    this.headers = headers;
  }
}
