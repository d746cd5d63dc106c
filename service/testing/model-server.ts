import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the model says next. Pieces are sent one after the other. */
export interface Answer {
  thinking?: string[];
  text?: string[];
  toolCalls?: { id?: string; name: string; arguments: string }[];
  /** Waited for before the answer ends, and after its pieces were sent. */
  until?: Promise<unknown>;
  usage?: { prompt_tokens: number; completion_tokens: number };
  /** It says no, in place of all that. */
  refuses?: { status: number; message: string };
  /** The connection breaks instead of an end. */
  breaksOff?: boolean;
}

export interface SeenRequest {
  messages: { role: string; content: unknown; tool_calls?: unknown; tool_call_id?: string }[];
  tools?: { function: { name: string; description: string } }[];
}

export interface ModelServer {
  baseUrl: string;
  /** What was asked, in order. */
  requests: SeenRequest[];
  /** Requests whose connection was closed before their end. */
  left: number;
  /** Says what to answer; the default is one word. */
  script(next: (request: SeenRequest, index: number) => Answer): void;
  close(): Promise<void>;
}

/** A model server on loopback that speaks chat completions and says what the test wants. */
export async function startModelServer(): Promise<ModelServer> {
  let next: (request: SeenRequest, index: number) => Answer = () => ({ text: ['Hello.'] });
  const model: ModelServer = {
    baseUrl: '',
    requests: [],
    left: 0,
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
  model.requests.push(request);
  res.on('close', () => {
    if (!res.writableFinished) model.left += 1;
  });
  const said = next(request, model.requests.length - 1);
  if (said.refuses) refuse(said.refuses, res);
  else await say(said, res);
}

function refuse({ status, message }: NonNullable<Answer['refuses']>, res: ServerResponse): void {
  res.writeHead(status, { 'Content-Type': 'application/json' });
  res.end(JSON.stringify({ error: { message } }));
}

async function say(said: Answer, res: ServerResponse): Promise<void> {
  res.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const send = (delta: object, finish: string | null = null): void => {
    const choice = { index: 0, delta, finish_reason: finish };
    res.write(`data: ${JSON.stringify({ id: 'x', model: 'test-model', choices: [choice] })}\n\n`);
  };
  for (const piece of said.thinking ?? []) send({ reasoning_content: piece });
  for (const piece of said.text ?? []) send({ content: piece });
  for (const [index, call] of (said.toolCalls ?? []).entries()) {
    const { name, arguments: given } = call;
    const id = call.id ?? `call_${index}`;
    send({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: given } }] });
  }
  await said.until;
  if (said.breaksOff) {
    // What was sent arrives; the end of the answer never does.
    res.socket?.end();
    return;
  }
  send({}, said.toolCalls ? 'tool_calls' : 'stop');
  const usage = said.usage ?? { prompt_tokens: 10, completion_tokens: 5 };
  res.write(`data: ${JSON.stringify({ id: 'x', model: 'test-model', choices: [], usage })}\n\n`);
  res.end('data: [DONE]\n\n');
}
