import { once } from 'node:events';
import { get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Returns the status of a GET on a new connection. */
export function statusOf(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    }).once('error', reject);
  });
}

const askAgainMs = 5;
const answerLimitMs = 60_000;

/** Polls until the answer is 200. */
export async function firstAnswer(port: number, path: string): Promise<void> {
  const end = performance.now() + answerLimitMs;
  while ((await statusOf(port, path).catch(() => 0)) !== 200) {
    if (performance.now() > end) throw new Error(`No 200 from ${path} within a minute.`);
    await delay(askAgainMs);
  }
}

const headEnd = Buffer.from('\r\n\r\n');

/**
 * A keep-alive HTTP connection with minimal overhead, so that the server dominates the measurement.
 * Responses must be 200 and have a Content-Length.
 */
export class Wire {
  private readonly socket: Socket;
  private received: Buffer = Buffer.alloc(0);
  private missingBytes = 0;
  private done: ((error?: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.socket = socket.setNoDelay(true);
    socket.on('data', (chunk) => this.take(chunk));
    socket.on('close', () => this.done?.(new Error('The server closed the connection.')));
    socket.on('error', () => undefined);
  }

  static async open(port: number): Promise<Wire> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new Wire(socket);
  }

  /**
   * Sends a complete request; `done` is called when its response is complete. One request at a
   * time.
   */
  send(request: string | Buffer, done: (error?: Error) => void): void {
    this.done = done;
    this.socket.write(request);
  }

  ask(request: string | Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.send(request, (error) => (error ? reject(error) : resolve()));
    });
  }

  close(): void {
    this.done = undefined;
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    if (this.missingBytes > 0) {
      this.missingBytes -= chunk.length;
    } else {
      this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
      const end = this.received.indexOf(headEnd);
      if (end === -1) return;
      const head = this.received.toString('latin1', 0, end);
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (!head.startsWith('HTTP/1.1 200 ') || length === undefined) {
        this.finish(new Error(`Not the answer that was expected: ${head}`));
        return;
      }
      this.missingBytes = end + headEnd.length + Number(length) - this.received.length;
      this.received = Buffer.alloc(0);
    }
    if (this.missingBytes === 0) this.finish();
  }

  private finish(error?: Error): void {
    const { done } = this;
    this.done = undefined;
    done?.(error);
  }
}

/** Returns the bytes of a request to this service. */
export function requestOf(port: number, line: string, token: string, body?: string): string {
  const head = [`${line} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `X-Host-Token: ${token}`];
  if (body !== undefined) {
    head.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return `${head.join('\r\n')}\r\n\r\n${body ?? ''}`;
}
