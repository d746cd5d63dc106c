import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** One event of a stream. The same object sent to many listeners is written out once. */
export interface StreamEvent {
  event: string;
  data: unknown;
  /** The number of the event, for readers who come back. */
  id?: number;
}

/** What a stream endpoint returns. `open` is called once; what it returns is called when the client has left. */
export interface EventSource {
  greeting?: string;
  /** A comment that is sent after so long without an event. */
  heartbeatMs?: number;
  /** How much may wait for a client that does not read; default 16 MiB. */
  maxBufferedBytes?: number;
  /** It stands in place of an answer: a terminal `error` frame holds the whole problem, which is logged as one. */
  endsWithProblem?: boolean;
  open(sink: EventSink): () => void;
}

export interface EventSink {
  send(event: StreamEvent): void;
  /** Ends the stream; with an error a terminal `error` frame goes first. */
  end(error?: unknown): void;
}

/** Events in the place of one answer. */
export class EventsReply {
  readonly source: EventSource;

  constructor(source: EventSource) {
    this.source = source;
  }
}

/** 202: what was asked for goes on. */
export class AcceptedReply {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** An opened file that is streamed as the answer. Whoever sends it closes it. */
export class FileReply {
  readonly file: FileHandle;
  /** Its ending says what the file holds. */
  readonly name: string;
  readonly headers: Record<string, string>;

  constructor(file: FileHandle, name: string, headers: Record<string, string>) {
    this.file = file;
    this.name = name;
    this.headers = headers;
  }
}

/** A small document made for this answer. */
export class TextReply {
  readonly text: string;
  readonly headers: Record<string, string>;

  constructor(text: string, headers: Record<string, string>) {
    this.text = text;
    this.headers = headers;
  }
}

/** The JSON of the answer, for one whose parts are written once and sent often. */
export class JsonReply {
  readonly pieces: readonly Buffer[];

  constructor(pieces: readonly Buffer[]) {
    this.pieces = pieces;
  }
}

/** Bytes that are sent as fast as the client takes them. When it leaves, `body` is destroyed. */
export class StreamReply {
  readonly body: Readable;
  readonly headers: Record<string, string>;

  constructor(body: Readable, headers: Record<string, string>) {
    this.body = body;
    this.headers = headers;
  }
}
