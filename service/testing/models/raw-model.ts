import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AiMode } from '../../contract/index.ts';
import { serveWeb, type WebServer } from '../web-server.ts';

/** A request to the model. */
export interface SeenByModel {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as JSON; null without one. */
  body: Record<string, unknown> | null;
}

/** A model server whose answers are written by hand. */
export interface RawModel extends WebServer {
  requests: SeenByModel[];
  /** Number of answers whose connection was closed before their end. */
  abortedAnswers: number;
  /** Sets the function that answers all later requests. */
  script(answer: RawAnswer): void;
}

/** `index` counts the requests since the script was set. */
export type RawAnswer = (res: ServerResponse, seen: SeenByModel, index: number) => unknown;

/** Starts a model server whose answers a test writes byte by byte. */
export async function startRawModel(): Promise<RawModel> {
  let answer: RawAnswer = (res) => res.end();
  let index = 0;
  const requests: SeenByModel[] = [];
  const server = await serveWeb((req, res) => {
    void bodyOf(req).then((body) => {
      const { method = '', url: path = '', headers } = req;
      const seen = { method, path, headers, body };
      requests.push(seen);
      res.on('close', () => {
        if (!res.writableFinished) model.abortedAnswers += 1;
      });
      const at = index;
      index += 1;
      answer(res, seen, at);
    });
  });
  const model: RawModel = {
    ...server,
    requests,
    abortedAnswers: 0,
    script(next) {
      answer = next;
      index = 0;
      model.abortedAnswers = 0;
      requests.length = 0;
    },
  };
  return model;
}

async function bodyOf(req: IncomingMessage): Promise<Record<string, unknown> | null> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? null : (JSON.parse(text) as Record<string, unknown>);
}

/** Writes a text in the wire format of a mode. */
export interface Dialect {
  contentType: string;
  prologue: string;
  text: (text: string) => string;
  end: string;
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const event = (value: { type: string; [name: string]: unknown }): string =>
  `event: ${value.type}\n${data(value)}`;
export const chunk = (delta: object, finish: string | null = null): string =>
  data({ choices: [{ index: 0, delta, finish_reason: finish }] });
export const done = 'data: [DONE]\n\n';
export { data as sseData, event as sseEvent, line as ndjson };

const completions: Dialect = {
  contentType: 'text/event-stream',
  prologue: chunk({ role: 'assistant', content: '' }),
  text: (text) => chunk({ content: text }),
  end: chunk({}, 'stop') + done,
};

export const dialects: Record<AiMode, Dialect> = {
  local: {
    contentType: 'application/x-ndjson',
    prologue: '',
    text: (text) => line({ message: { role: 'assistant', content: text }, done: false }),
    end: line({ message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' }),
  },
  cloud_a: completions,
  cloud_b: {
    contentType: 'text/event-stream',
    prologue:
      event({ type: 'message_start', message: { usage: { input_tokens: 1 } } }) +
      event({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'text', text: '' },
      }),
    text: (text) =>
      event({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      }),
    end:
      event({ type: 'content_block_stop', index: 0 }) +
      event({
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { output_tokens: 1 },
      }) +
      event({ type: 'message_stop' }),
  },
  cloud_c: completions,
};

/** Answers one word in the wire format of a mode. */
export const answerHello =
  (mode: AiMode): RawAnswer =>
  (res) => {
    const { contentType, prologue, text, end } = dialects[mode];
    res.writeHead(200, { 'Content-Type': contentType }).end(prologue + text('Hello') + end);
  };
