/** A chat completions server that answers with as many tokens as the last message asks for. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** The JSON in the last message. */
export interface ModelOrder {
  tokens: number;
  /** Milliseconds between two tokens; 0: as fast as possible. */
  paceMs: number;
}

interface Asked {
  messages: { content: string | { text: string }[] }[];
}

const server = createServer((req, res) => {
  void json(req).then((asked) => answer(orderOf(asked as Asked), res));
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`PORT=${(server.address() as AddressInfo).port}\n`);
});

function orderOf({ messages }: Asked): ModelOrder {
  const content = messages.at(-1)?.content ?? '';
  const text = typeof content === 'string' ? content : content.map((part) => part.text).join('');
  return JSON.parse(text) as ModelOrder;
}

async function answer(order: ModelOrder, res: ServerResponse): Promise<void> {
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  if (order.paceMs === 0) await sendAll(order, res);
  else await sendPaced(order, res);
  const usage = { prompt_tokens: 10, completion_tokens: order.tokens };
  res.write(eventOf({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
  res.write(eventOf({ choices: [], usage }));
  res.end('data: [DONE]\n\n');
}

/** Created once, so that they cost nothing during measurements. */
const prepared: Buffer[] = [];

async function sendAll({ tokens }: ModelOrder, res: ServerResponse): Promise<void> {
  while (prepared.length < tokens) prepared.push(Buffer.from(tokenEvent(`t${prepared.length} `)));
  for (const event of prepared.slice(0, tokens)) {
    // One write per token, as model servers do.
    if (!res.write(event) && !res.destroyed)
      await Promise.race([once(res, 'drain'), once(res, 'close')]);
  }
}

/**
 * Each token is the time of its writing, on the monotonic clock that all processes of the machine
 * share.
 */
async function sendPaced({ tokens, paceMs }: ModelOrder, res: ServerResponse): Promise<void> {
  const started = performance.now();
  for (let sent = 0; sent < tokens; sent += 1) {
    const waitMs = started + sent * paceMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    res.write(tokenEvent(`t${process.hrtime.bigint()} `));
  }
}

function tokenEvent(content: string): string {
  return eventOf({
    choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
  });
}

/** As long as events of real model servers. */
function eventOf(more: object): string {
  const head = { id: 'chatcmpl-BxQ2vT7mWk9aLr4', object: 'chat.completion.chunk' };
  return `data: ${JSON.stringify({ ...head, created: 1_769_860_800, model: 'bench', ...more })}\n\n`;
}
