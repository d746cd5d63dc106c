import type { FileHandle } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { Endpoint } from '../contract/index.ts';
import { sendEvents } from './event-stream.ts';
import type { OpenStreams } from './open-streams.ts';
import {
  AcceptedReply,
  type EventSource,
  EventsReply,
  FileReply,
  JsonReply,
  StreamReply,
  TextReply,
} from './reply.ts';

/** One request with its response, and the streams of the server. */
export interface Exchange {
  req: Request;
  res: Response;
  streams: OpenStreams;
  /** Maps an error that ends a stream, like `mount` maps that of a response. */
  meaningOf: (error: unknown) => unknown;
}

/** Sends the result of a handler in the form that its endpoint declares. */
export async function answer(
  endpoint: Endpoint,
  result: unknown,
  { req, res, ...parts }: Exchange,
): Promise<void> {
  if (result instanceof FileReply) return sendFile(result, req, res);
  if (result instanceof TextReply) return sendText(result, req, res);
  if (result instanceof StreamReply) return sendStream(result, req, res);
  if (result instanceof EventsReply) {
    sendEvents(res, result.source, parts);
    return;
  }
  if (result instanceof AcceptedReply) return sendJson(202, result.value, req, res);
  if (endpoint.reply === undefined) {
    res.writeHead(endpoint.status ?? 204, common).end();
  } else if ('kind' in endpoint.reply && endpoint.reply.kind === 'events') {
    sendEvents(res, result as EventSource, parts);
  } else {
    sendJson(endpoint.status ?? 200, result, req, res);
  }
}

const common = { 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' };

function sendJson(status: number, value: unknown, req: Request, res: Response): void {
  const body = value instanceof JsonReply ? Buffer.concat(value.pieces) : JSON.stringify(value);
  res.writeHead(status, {
    ...common,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  res.end(req.method === 'HEAD' ? undefined : body);
}

function sendText(reply: TextReply, req: Request, res: Response): void {
  res.writeHead(200, {
    'Referrer-Policy': 'no-referrer',
    'Content-Length': Buffer.byteLength(reply.text),
    ...reply.headers,
  });
  res.end(req.method === 'HEAD' ? undefined : reply.text);
}

/** A client that reads nothing for this long is disconnected. */
const stallLimitMs = 60_000;

const disconnectCodes = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ECONNRESET',
  'EPIPE',
]);

async function sendStream(reply: StreamReply, req: Request, res: Response): Promise<void> {
  res.writeHead(200, { ...common, ...reply.headers });
  if (req.method !== 'HEAD') return sendBody(reply.body, res);
  reply.body.destroy();
  res.end();
}

async function sendBody(body: Readable, res: Response): Promise<void> {
  res.setTimeout(stallLimitMs, () => res.destroy());
  try {
    await pipeline(body, res);
  } catch (error) {
    body.destroy();
    // A disconnected client is not an error of the service.
    if (!disconnectCodes.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    res.setTimeout(0);
  }
}

/**
 * The file is open already, so the bytes sent are those that were checked, even if the path has
 * been replaced.
 */
async function sendFile(reply: FileReply, req: Request, res: Response): Promise<void> {
  const { file, name, headers } = reply;
  try {
    const { size, mtimeMs } = await file.stat();
    res.set({ 'Referrer-Policy': 'no-referrer', ...headers });
    res.set('ETag', `W/"${size.toString(16)}-${Math.round(mtimeMs).toString(16)}"`);
    if (req.fresh) {
      res.status(304).end();
      return;
    }
    if (!res.hasHeader('Content-Type')) res.type(extname(name) || 'bin');
    res.set('Content-Length', String(size));
    if (req.method === 'HEAD' || size === 0) res.end();
    else await sendBytes(file, size, res);
  } finally {
    await file.close();
  }
}

/**
 * Sends exactly the announced number of bytes: appended bytes are omitted, missing ones end the
 * connection.
 */
async function sendBytes(file: FileHandle, size: number, res: Response): Promise<void> {
  const body = file.createReadStream({ end: size - 1, autoClose: false });
  await sendBody(body, res);
  if (body.bytesRead < size) res.destroy();
}
