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
/**
 * A line beyond these limits is not parsed: that would block for seconds, or crash the host later.
 */
const lineLimits = { levels: 512, values: 500_000 };
/** A shorter line cannot exceed the limits. */
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
  /** Absent for requests of the host itself: their time-out does not stop the worker. */
  callId?: string;
  /** Sends the request before all that are queued. */
  first?: boolean;
  onProgress?: (progress: Progress) => void;
}

/** Receives messages and events of a worker's pipes. */
export interface ChannelListener {
  /** Called at the first JSON-RPC message of the worker. */
  onAlive(): void;
  onNotification(method: string, params: unknown): void;
  /** Called with the first 200 characters of a line that is not JSON-RPC. */
  onNoise(text: string): void;
  /** Called when a call times out; it stays pending until the channel is closed. */
  onTimeout(id: number, timeoutMs: number): void;
  onLineTooLong(): void;
  /** Called when the worker has closed a pipe. */
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
 * JSON-RPC 2.0 with one worker, one object per line. Calls made before `open` are queued.
 * Everything sent in one turn of the event loop is written at once.
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

  /** Number of calls without an answer; requests of the host itself do not count. */
  get openCalls(): number {
    let count = 0;
    for (const entry of this.pending.values()) if (entry.callId !== undefined) count += 1;
    return count;
  }

  /** Connects the pipes and sends queued messages. */
  open(input: Writable, output: Readable): void {
    this.input = input;
    this.output = output;
    // The exit of the worker reports its end; a failed write adds nothing.
    input.on('error', () => undefined);
    output.on('error', () => undefined);
    output.on('data', (chunk: Buffer) => this.lines.push(chunk));
    output.on('end', () => this.lines.end());
    for (const stream of [input, output]) stream.on('close', () => this.listener.onEnd());
    this.flush();
  }

  /**
   * Sends a request and resolves with the worker's result.
   * @throws WorkerError `worker-error` if the worker answered with an error, `overloaded` if too
   * much is queued, or the error that the channel was closed with
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

  /** Sends a notification, unless the queue to the worker is full. */
  notify(method: string, params: unknown): void {
    if (this.closed !== undefined || this.isFull()) return;
    this.send(notificationLine(method, params));
  }

  /** Returns the id of a pending call by the name that its caller chose. */
  idOf(callId: string): number | undefined {
    for (const [id, entry] of this.pending) if (entry.callId === callId) return id;
    return undefined;
  }

  /** Flushes queued messages, ends the traffic and rejects every pending call. */
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

  /** Must not throw, whatever a worker writes: that would crash the host. */
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

  /** Rejects the call if the start of the line identifies it; otherwise the call times out. */
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

  /** Ignores an answer to a finished or unknown call. */
  private settle(message: Message): void {
    const entry = this.pending.get(message.id as number);
    if (entry === undefined) return;
    this.pending.delete(message.id as number);
    // Some libraries leave out a null result.
    if (message.error === undefined || message.error === null)
      entry.resolve(message.result ?? null);
    else entry.reject(workerError(message.error));
  }

  /** Workers cannot call the host; an answer keeps them from waiting. */
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

  /** One timer for all calls, set to the earliest known deadline; it checks again when it fires. */
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
