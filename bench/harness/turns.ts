import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createClient } from '../../service/client/index.ts';
import { api, tokenHeader } from '../../service/contract/index.ts';
import type { ModelOrder } from '../load/model.ts';
import { type Server, startServer } from './processes.ts';
import { healthPath, startHost, token } from './two-servers.ts';
import { firstAnswer } from './wire.ts';

/** Measurements of one answer. */
export interface Answer {
  /** Time from the request to the end of the answer. */
  tookMs: number;
  /** Time from the request to the first token. */
  firstMs: number;
  /** Delay of each token; only for paced answers. */
  delaysMs: number[];
}

/** Requests a turn from a relay. Rejects if tokens are missing. */
export type Ask = (order: ModelOrder) => Promise<Answer>;

export const startModel = (): Promise<Server> =>
  startServer([join(import.meta.dirname, '..', 'load', 'model.ts')]);

export const addressOf = (model: Server): string => `http://127.0.0.1:${model.port}/v1`;

/** Starts the host with that model. */
export async function startChatHost(workDirectory: string, model: Server): Promise<Server> {
  const host = await startHost(workDirectory);
  await firstAnswer(host.port, healthPath);
  const client = createClient({ baseUrl: `http://127.0.0.1:${host.port}`, token: () => token });
  const backend = { apiKey: 'unused', model: 'bench', baseUrl: addressOf(model) };
  await client.call(api.aiConfig.put, { body: { activeMode: 'cloud_c', cloud_c: backend } });
  return host;
}

/** As a page does: starts the turn, then reads its stream. */
export function askHost({ port }: Server): Ask {
  return (order) =>
    timed(order, async () => {
      const started = send(port, 'POST', api.chat.start.path);
      started.end(bodyOf(order));
      const { streamId } = JSON.parse(await text(await answerOf(started))) as { streamId: string };
      const path = `${api.runStreams.chat.path}?streamId=${streamId}`;
      return send(port, 'GET', path).end();
    });
}

/** A relay that answers the request with the stream. */
export function askRelay({ port }: Server): Ask {
  return (order) =>
    timed(order, () => Promise.resolve(send(port, 'POST', '/chat').end(bodyOf(order))));
}

const bodyOf = (order: ModelOrder): string =>
  JSON.stringify({ messages: [{ role: 'user', content: JSON.stringify(order) }] });

function send(port: number, method: string, path: string): ClientRequest {
  const headers = { [tokenHeader]: token, 'Content-Type': 'application/json' };
  return request({ host: '127.0.0.1', port, method, path, headers });
}

async function answerOf(asked: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  if (answer.statusCode === 200) return answer;
  throw new Error(`Not the answer that was expected: ${await text(answer)}`);
}

async function timed(order: ModelOrder, ask: () => Promise<ClientRequest>): Promise<Answer> {
  const startedNs = process.hrtime.bigint();
  const pieces = await piecesOf(await answerOf(await ask()));
  const tookMs = millisecondsOf(process.hrtime.bigint() - startedNs);
  const tokens = tokensOf(pieces);
  if (tokens.length !== order.tokens)
    throw new Error(`${tokens.length} tokens of ${order.tokens} came.`);
  const firstMs = millisecondsOf((tokens[0]?.atNs ?? startedNs) - startedNs);
  const delaysMs = tokens.map(({ atNs, sentNs }) => millisecondsOf(atNs - sentNs));
  return { tookMs, firstMs, delaysMs: order.paceMs === 0 ? [] : delaysMs };
}

interface Piece {
  atNs: bigint;
  bytes: Buffer;
}

/**
 * Parses nothing before the whole answer has arrived, so that the client does not affect the
 * measurement.
 */
async function piecesOf(answer: IncomingMessage): Promise<Piece[]> {
  const pieces: Piece[] = [];
  answer.on('data', (bytes: Buffer) => pieces.push({ atNs: process.hrtime.bigint(), bytes }));
  await once(answer, 'end');
  return pieces;
}

/**
 * Returns the send time in each token and the arrival time of its last byte. The host's last event
 * repeats the text.
 */
function tokensOf(pieces: readonly Piece[]): { sentNs: bigint; atNs: bigint }[] {
  const all = Buffer.concat(pieces.map(({ bytes }) => bytes)).toString('latin1');
  const [streamed = ''] = all.split('event: done');
  let piece = 0;
  let end = pieces[0]?.bytes.length ?? 0;
  return [...streamed.matchAll(/t(\d+) /g)].map(({ index, 0: token, 1: sent = '' }) => {
    while (end < index + token.length) end += pieces[(piece += 1)]?.bytes.length ?? Infinity;
    return { sentNs: BigInt(sent), atNs: pieces[piece]?.atNs ?? 0n };
  });
}

const millisecondsOf = (ns: bigint): number => Number(ns) / 1e6;
