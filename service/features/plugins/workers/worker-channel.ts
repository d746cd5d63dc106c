import type { Readable, Writable } from 'node:stream';
import { JsonLines } from '../../../core/json-lines.ts';
import { excessOf } from '../../../core/json-shape.ts';
import { rpcCodes, WorkerError } from './worker-error.ts';
import {
  answeredId,
  type Message,
  notificationLine,
  parseMessage,
  requestLine,
  workerError,
} from './worker-messages.ts';
import { msg } from '../../../messages/index.ts';

const maxLineBytes = 32 * 1024 * 1024;
const maxPendingCharacters = 64 * 1024 * 1024;
const maxTimerMs = 2 ** 31 - 1;
/** Beyond them a line is not parsed: that would stand still for seconds, or end the host later. */
const lineLimits = { levels: 512, values: 500_000 };
/** A shorter line cannot break a limit. */
const checkedCharacters = 2 * lineLimits.levels;
const noiseCharacters = 200;
const progressCharacters = 2_000;

/** Progress of a call as the worker reports it; `percent` is from 0 to 100. */
export interface Progress {
  callId: string;
  percent?: number;
  message?: string;
}

/** Limits and priority of a request to a worker. `timeoutMs` counts from when it is sent. */
export interface CallOptions {
  timeoutMs: number;
  /** Absent for the host's own requests: their time-out is no reason to stop the worker. */
  callId?: string;
  /** Ahead of everything that still waits. */
  first?: boolean;
  onProgress?: (progress: Progress) => void;
}

/** Receives what a worker sends over its pipes. */
export interface ChannelListener {
  /** The worker sent its first JSON-RPC message. */
  onAlive(): void;
  onNotification(method: string, params: unknown): void;
  /** A line that is not JSON-RPC: its first 200 characters. */
  onNoise(text: string): void;
  /** A call has run out of time; it stays pending until the channel is closed. */
  onTimeout(id: number, timeoutMs: number): void;
  onLineTooLong(): void;
  /** The worker sends nothing more, or reads nothing more. */
  onEnd(): void;
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
  deadlineMs: number;
  timeoutMs: number;
  callId: string | undefined;
  onProgress: CallOptions['onProgress'];
}

/**
 * JSON-RPC 2.0 with one worker, one object a line. Calls may be made before `open`; they wait.
 * Everything sent in one turn of the event loop goes out in one write.
 */
export class WorkerChannel {
  private readonly listener: ChannelListener;
  private readonly pending = new Map<number, Pending>();
  private readonly lines: JsonLines;
  private input: Writable | undefined;
  private output: Readable | undefined;
  private outgoing = '';
  private lastId = 0;
  private flushing = false;
  private alive = false;
  private closed: WorkerError | undefined;
  private timer: NodeJS.Timeout | undefined;
  private timerDueMs = Infinity;

  constructor(listener: ChannelListener) {
    this.listener = listener;
    this.lines = new JsonLines({
      maxLineBytes,
      onLine: (line) => this.receive(line),
      onTooLong: () => listener.onLineTooLong(),
    });
  }

  /** Calls that wait for an answer; the host's own requests do not count. */
  get openCalls(): number {
    let count = 0;
    for (const entry of this.pending.values()) if (entry.callId !== undefined) count += 1;
    return count;
  }

  /** Starts the traffic; what already waits goes out. */
  open(input: Writable, output: Readable): void {
    this.input = input;
    this.output = output;
    // A worker that is gone is noticed by its exit; the failed write itself says nothing more.
    input.on('error', () => undefined);
    output.on('error', () => undefined);
    output.on('data', (chunk: Buffer) => this.lines.push(chunk));
    output.on('end', () => this.lines.end());
    for (const stream of [input, output]) stream.on('close', () => this.listener.onEnd());
    this.flush();
  }

  /**
   * Sends a request; gives the worker's result.
   * @throws WorkerFault `worker-error` when the worker answered with an error, `overloaded` when
   *   too much waits to be read by it, or whatever the channel was closed with
   */
  request(method: string, params: unknown, options: CallOptions): Promise<unknown> {
    if (this.closed !== undefined) return Promise.reject(this.closed);
    if (this.isFull()) return Promise.reject(overloaded());
    const id = this.lastId + 1;
    let text: string;
    try {
      text = requestLine(id, method, params);
    } catch {
      const message = msg('plugins.paramsNotJson');
      return Promise.reject(new WorkerError('worker-error', rpcCodes.invalidParams, message));
    }
    this.lastId = id;
    this.send(text, options.first);
    const { timeoutMs, callId, onProgress } = options;
    const deadlineMs = performance.now() + timeoutMs;
    if (deadlineMs < this.timerDueMs) this.setTimer(deadlineMs);
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject, deadlineMs, timeoutMs, callId, onProgress });
    });
  }

  /** Sends a notification, unless the worker reads so little that nothing more fits. */
  notify(method: string, params: unknown): void {
    if (this.closed !== undefined || this.isFull()) return;
    this.send(notificationLine(method, params));
  }

  /** The id of a pending call, by the name that its caller gave it. */
  idOf(callId: string): number | undefined {
    for (const [id, entry] of this.pending) if (entry.callId === callId) return id;
    return undefined;
  }

  /** Writes at once what waits, ends the traffic and rejects every pending call. */
  close(errorFor: (id: number) => WorkerError): void {
    if (this.closed !== undefined) return;
    this.flush();
    this.closed = errorFor(0);
    clearTimeout(this.timer);
    this.lines.stop();
    this.outgoing = '';
    this.input?.end();
    this.output?.destroy();
    const pending = [...this.pending];
    this.pending.clear();
    for (const [id, entry] of pending) entry.reject(errorFor(id));
  }

  private isFull(): boolean {
    return this.outgoing.length + (this.input?.writableLength ?? 0) > maxPendingCharacters;
  }

  private send(text: string, first = false): void {
    this.outgoing = first ? text + this.outgoing : this.outgoing + text;
    if (this.flushing || this.input === undefined) return;
    this.flushing = true;
    process.nextTick(() => this.flush());
  }

  private flush(): void {
    this.flushing = false;
    const { input, outgoing } = this;
    if (input === undefined || outgoing === '' || this.closed !== undefined) return;
    this.outgoing = '';
    if (input.writable) input.write(outgoing);
  }

  /** Nothing that a worker writes may throw here: it would end the host. */
  private receive(line: string): void {
    try {
      const tooComplex = line.length > checkedCharacters && excessOf(line, lineLimits) !== null;
      if (tooComplex) this.refuseAnswer(line);
      else this.take(line, parseMessage(line));
    } catch {
      this.noise(line);
    }
  }

  private take(line: string, message: Message | undefined): void {
    if (message === undefined) {
      this.noise(line);
      return;
    }
    this.sawMessage();
    if (typeof message.method !== 'string') this.settle(message);
    else if (message.id !== undefined) this.refuse(message);
    else if (message.method === 'host.progress') this.progress(message.params);
    else this.listener.onNotification(message.method, message.params);
  }

  private noise(line: string): void {
    if (line.trim() !== '') this.listener.onNoise(line.slice(0, noiseCharacters));
  }

  private sawMessage(): void {
    if (this.alive) return;
    this.alive = true;
    this.listener.onAlive();
  }

  /** The call fails where the start of the line tells which one; else its time-out ends it. */
  private refuseAnswer(line: string): void {
    const id = answeredId(line);
    const entry = this.pending.get(id);
    if (entry === undefined) {
      this.noise(line);
      return;
    }
    this.sawMessage();
    this.pending.delete(id);
    const message = msg('plugins.answerTooComplex');
    entry.reject(new WorkerError('line-too-long', rpcCodes.internal, message));
  }

  /** An answer to a call that is over, or never was, is nobody's. */
  private settle(message: Message): void {
    const entry = this.pending.get(message.id as number);
    if (entry === undefined) return;
    this.pending.delete(message.id as number);
    // Some libraries leave out a null result.
    if (message.error === undefined || message.error === null)
      entry.resolve(message.result ?? null);
    else entry.reject(workerError(message.error));
  }

  /** The host offers no methods to workers; saying so keeps a worker from waiting. */
  private refuse({ id }: Message): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    if (this.closed !== undefined || this.isFull()) return;
    const error = { code: rpcCodes.methodNotFound, message: 'The host offers no methods.' };
    this.send(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  }

  private progress(params: unknown): void {
    if (typeof params !== 'object' || params === null) return;
    const { id, percent, message } = params as Record<string, unknown>;
    const entry = this.pending.get(id as number);
    if (entry?.callId === undefined || entry.onProgress === undefined) return;
    const progress: Progress = { callId: entry.callId };
    if (typeof percent === 'number') progress.percent = Math.min(100, Math.max(0, percent));
    if (typeof message === 'string') progress.message = message.slice(0, progressCharacters);
    entry.onProgress(progress);
  }

  /** One timer for all calls, due at the earliest deadline it was ever told; it looks again then. */
  private setTimer(dueMs: number): void {
    clearTimeout(this.timer);
    this.timerDueMs = dueMs;
    const delayMs = Math.min(Math.max(dueMs - performance.now(), 0), maxTimerMs);
    this.timer = setTimeout(() => this.expire(), Math.ceil(delayMs)).unref();
  }

  private expire(): void {
    this.timerDueMs = Infinity;
    const nowMs = performance.now();
    let nextMs = Infinity;
    for (const [id, entry] of [...this.pending]) {
      if (entry.deadlineMs > nowMs) nextMs = Math.min(nextMs, entry.deadlineMs);
      else if (entry.callId !== undefined) this.listener.onTimeout(id, entry.timeoutMs);
      else this.drop(id, entry);
      if (this.closed !== undefined) return;
    }
    if (nextMs !== Infinity) this.setTimer(nextMs);
  }

  private drop(id: number, entry: Pending): void {
    this.pending.delete(id);
    entry.reject(new WorkerError('timed-out', rpcCodes.timedOut, msg('plugins.workerSilent')));
  }
}

function overloaded(): WorkerError {
  const message = msg('plugins.workerOverloaded');
  return new WorkerError('overloaded', rpcCodes.overloaded, message);
}
