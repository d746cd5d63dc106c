import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const callTimeoutMs = 60_000;
const exitTimeoutMs = 30_000;

/** A JSON-RPC message. */
export interface RpcMessage {
  jsonrpc: '2.0';
  id?: string | number | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/**
 * Communicates with the worker of an unpacked package over its stdin and stdout, as the host does.
 */
export class WorkerProcess {
  /** Every line of stdout; reading a line that is not a JSON object fails the test. */
  readonly messages: RpcMessage[] = [];
  stderr = '';
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exit: Promise<number | null>;
  #partial: string[] = [];
  #lastId = 0;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.#exit = once(child, 'exit').then(([code]) => code as number | null);
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.#receive(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    // The exit code shows that a worker ended early.
    child.stdin.on('error', () => undefined);
  }

  send(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  notify(method: string, params: object): void {
    this.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /** Sends a request and returns its id without waiting. */
  request(method: string, params?: unknown): number {
    const id = ++this.#lastId;
    this.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return id;
  }

  /** Returns the response to a request: a result or an error. */
  async answer(id: string | number | null): Promise<RpcMessage> {
    return this.until((message) => !message.method && message.id === id);
  }

  async call(method: string, params?: unknown): Promise<RpcMessage> {
    return this.answer(this.request(method, params));
  }

  /**
   * Returns the result.
   * @throws Error with the error's message
   */
  async result<T = Record<string, unknown>>(method: string, params?: unknown): Promise<T> {
    const { result, error } = await this.call(method, params);
    if (error) throw new Error(`${String(error.code)} ${error.message}`);
    return result as T;
  }

  notifications(method: string): Record<string, unknown>[] {
    return this.messages.flatMap((message) =>
      message.method === method ? [message.params ?? {}] : [],
    );
  }

  /** Returns the first message, past or future, that matches. */
  async until(fits: (message: RpcMessage) => boolean): Promise<RpcMessage> {
    const signal = AbortSignal.timeout(callTimeoutMs);
    for (;;) {
      const found = this.messages.find(fits);
      if (found) return found;
      await Promise.race([
        once(this.#child.stdout, 'data', { signal }),
        this.#exit.then((code) => {
          throw new Error(`The worker ended with ${String(code)}: ${this.stderr}`);
        }),
      ]);
    }
  }

  /** Closes stdin and waits for the process; resolves with its exit code. */
  async end(): Promise<number | null> {
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), exitTimeoutMs);
    try {
      return await this.#exit;
    } finally {
      clearTimeout(timer);
    }
  }

  #receive(text: string): void {
    const [first = '', ...rest] = text.split('\n');
    this.#partial.push(first);
    for (const next of rest) {
      this.messages.push(JSON.parse(this.#partial.join('')) as RpcMessage);
      this.#partial = [next];
    }
  }
}

/** Starts the worker of an unpacked package with only these environment variables and PATH. */
export function startWorker(
  directory: string,
  runtime: 'java' | 'node',
  environment: Record<string, string> = {},
): WorkerProcess {
  const [command, args] =
    runtime === 'java'
      ? ['java', ['-Xmx256m', '-jar', join(directory, 'backend/worker.jar')]]
      : [process.execPath, [join(directory, 'backend/worker.mjs')]];
  const env = { PATH: process.env['PATH'], ...environment };
  return new WorkerProcess(spawn(command, args, { env, stdio: 'pipe' }));
}
