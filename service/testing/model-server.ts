import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The model's next answer. Pieces are sent one after the other. */
export interface Answer {
  thinking?: string[];
  text?: string[];
  toolCalls?: { id?: string; name: string; arguments: string }[];
  /** Awaited after the pieces were sent, before the answer ends. */
  until?: Promise<unknown>;
  usage?: { prompt_tokens: number; completion_tokens: number };
  /** Returns this error instead of an answer. */
  refuses?: { status: number; message: string };
  /** The connection breaks before the end of the answer. */
  breaksOff?: boolean;
}

/** A request to the model, as far as tests read it. */
export interface SeenRequest {
  messages: { role: string; content: unknown; tool_calls?: unknown; tool_call_id?: string }[];
  tools?: { function: { name: string; description: string } }[];
}

/** A model server for tests. */
export interface ModelServer {
  baseUrl: string;
  /** Requests, in order. */
  requests: SeenRequest[];
  /** Number of requests whose connection was closed before their end. */
  abortedRequests: number;
  /** Sets the function that answers; the default is one word. */
  script(next: (request: SeenRequest, index: number) => Answer): void;
  /** Answers title requests, which are not in `requests`; they are refused while this is null. */
  title: ((request: SeenRequest) => Answer) | null;
  close(): Promise<void>;
}

/** Starts a chat completions server on loopback that gives the answers of the test. */
export async function startModelServer(): Promise<ModelServer> {
  let next: (request: SeenRequest, index: number) => Answer = () => ({ text: ['Hello.'] });
  const model: ModelServer = {
    baseUrl: '',
    requests: [],
    abortedRequests: 0,
    title: null,
    script(script) {
      next = script;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer((req, res) => {
    void answer(req, res, model, (request, index) => next(request, index));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  model.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return model;
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  model: ModelServer,
  next: (request: SeenRequest, index: number) => Answer,
): Promise<void> {
  if (req.method === 'GET') {
    res.writeHead(200, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify({ object: 'list', data: [{ id: 'test-model', object: 'model' }] }));
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const request = JSON.parse(Buffer.concat(chunks).toString('utf8')) as SeenRequest;
  if (asksForTitle(request)) {
    const titled = model.title?.(request) ?? { refuses: { status: 400, message: 'No titles.' } };
    if (titled.refuses) refuse(titled.refuses, res);
    else await writeAnswer(titled, res);
    return;
  }
  model.requests.push(request);
  res.on('close', () => {
    if (!res.writableFinished) model.abortedRequests += 1;
  });
  const reply = next(request, model.requests.length - 1);
  if (reply.refuses) refuse(reply.refuses, res);
  else await writeAnswer(reply, res);
}

const asksForTitle = ({ messages: [first] }: SeenRequest): boolean =>
  first?.role === 'system' && /^Write a short title/.test(String(first.content));

function refuse({ status, message }: NonNullable<Answer['refuses']>, res: ServerResponse): void {
  res.writeHead(status, { 'Content-Type': 'application/json' });
  res.end(JSON.stringify({ error: { message } }));
}

async function writeAnswer(reply: Answer, res: ServerResponse): Promise<void> {
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const send = (delta: object, finish: string | null = null): void => {
    const choice = { index: 0, delta, finish_reason: finish };
    res.write(`data: ${JSON.stringify({ id: 'x', model: 'test-model', choices: [choice] })}\n\n`);
  };
  for (const piece of reply.thinking ?? []) send({ reasoning_content: piece });
  for (const piece of reply.text ?? []) send({ content: piece });
  for (const [index, call] of (reply.toolCalls ?? []).entries()) {
    const { name, arguments: args } = call;
    const id = call.id ?? `call_${index}`;
    send({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }] });
  }
  await reply.until;
  if (reply.breaksOff) {
    // The pieces arrive, but the end of the answer never does.
    res.socket?.end();
    return;
  }
  send({}, reply.toolCalls ? 'tool_calls' : 'stop');
  const usage = reply.usage ?? { prompt_tokens: 10, completion_tokens: 5 };
  res.write(`data: ${JSON.stringify({ id: 'x', model: 'test-model', choices: [], usage })}\n\n`);
  res.end('data: [DONE]\n\n');
}
