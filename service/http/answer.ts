import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { Endpoint } from '../contract/index.ts';
import { HostError } from '../core/host-error.ts';
import { sendEvents } from './event-stream.ts';
import type { OpenStreams } from './open-streams.ts';
import {
  AcceptedReply,
  type EventSource,
  FileReply,
  JsonReply,
  StreamReply,
  TextReply,
} from './reply.ts';

export interface Exchange {
  req: Request;
  res: Response;
  streams: OpenStreams;
}

/** Writes what a handler returned, as its endpoint says. */
export async function answer(
  endpoint: Endpoint,
  result: unknown,
  { req, res, streams }: Exchange,
): Promise<void> {
  if (result instanceof FileReply) return sendFile(result, res);
  if (result instanceof TextReply) return sendText(result, req, res);
  if (result instanceof StreamReply) return sendStream(result, res);
  if (result instanceof AcceptedReply) return sendJson(202, result.value, req, res);
  if (endpoint.reply === undefined) {
    res.writeHead(endpoint.status ?? 204, common).end();
  } else if ('kind' in endpoint.reply && endpoint.reply.kind === 'events') {
    sendEvents(res, result as EventSource, streams);
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

/** A client that takes nothing for so long is cut off. */
const standstillMs = 60_000;

const clientLeft = new Set([
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_UNABLE_TO_PIPE',
  'ECONNRESET',
  'EPIPE',
]);

async function sendStream({ body, headers }: StreamReply, res: Response): Promise<void> {
  res.setTimeout(standstillMs, () => res.destroy());
  res.writeHead(200, { ...common, ...headers });
  try {
    await pipeline(body, res);
  } catch (error) {
    body.destroy();
    // A client that has left is no failure of ours.
    if (!clientLeft.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    res.setTimeout(0);
  }
}

function sendFile(reply: FileReply, res: Response): Promise<void> {
  const headers = { 'Referrer-Policy': 'no-referrer', ...reply.headers };
  return new Promise((resolve, reject) => {
    res.sendFile(
      reply.path,
      { root: reply.root, dotfiles: 'deny', etag: true, headers, cacheControl: false },
      (error) => {
        if (error === undefined || error === null || res.headersSent) resolve();
        else reject(new HostError('missing', 'not_found', 'There is no such file.'));
      },
    );
  });
}
