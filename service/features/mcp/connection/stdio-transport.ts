import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { JsonLines } from '../../../core/json-lines.ts';
import { excessOf } from '../../../core/json-shape.ts';
import type {
  OwnedProcess,
  Processes,
  ProcessExit,
  ProcessSpec,
} from '../../../platform/processes.ts';
import { MessageBudget } from './message-budget.ts';
import { checkedCharacters, messageLimits } from './message-limits.ts';
import { type Message, msg } from '../../../messages/index.ts';

const maxLineBytes = 32 * 1024 ** 2;
const maxUnreadBytes = 64 * 1024 ** 2;
const endGraceMs = 2_000;
const maxLoggedCharacters = 200;
/** Bytes of stderr that count as one line. */
const bytesOfLine = 5_000;

/** Receives output of a program outside of the protocol. */
export interface StdioListener {
  /** A line of stderr, or the error of a line of stdout. */
  log(level: 'INFO' | 'WARN', message: string): void;
}

/** Time to wait for the exit code after the output has ended. */
const exitCodeWaitMs = 500;
/** Time for a server that exits when its input ends. */
const ownEndMs = 500;

/** JSON-RPC with a child process, one object per line. The process never outlives the host. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport['onmessage'];
  /** Why the process ended, set before `onclose` is called; null if the host closed it. */
  endReason: Message | null = null;
  /** The SDK recognizes stdio transports by this and `pid`. */
  readonly stderr = null;
  private readonly processes: Processes;
  private readonly spec: ProcessSpec;
  private readonly listener: StdioListener;
  private readonly budget = new MessageBudget();
  private readonly awaited = new Set<string | number>();
  /** A message other than an answer was delivered in this turn of the event loop. */
  private hasNews = false;
  /** Later messages wait for the next turn. */
  private readonly later: JSONRPCMessage[] = [];
  private process: OwnedProcess | null = null;
  private lines: JsonLines | null = null;
  private isClosed = false;

  constructor(processes: Processes, spec: ProcessSpec, listener: StdioListener) {
    this.processes = processes;
    this.spec = spec;
    this.listener = listener;
  }

  get pid(): number | null {
    return this.process?.pid ?? null;
  }

  async start(): Promise<void> {
    const child = await this.processes.spawn(this.spec);
    if (this.isClosed) return child.terminate(0);
    this.process = child;
    const lines = new JsonLines({
      maxLineBytes,
      onLine: (line) => this.receive(line),
      onTooLong: (head) => this.end(msg('mcp.lineTooLong', { line: truncate(head) })),
    });
    this.lines = lines;
    child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
    this.readStderr(child);
    child.stdout.once('end', () => void this.endWithOutput(child));
    void child.exited.then((exit) => this.end(exitMessage(exit)));
  }

  /** The output of a process ends slightly before its exit code is known. */
  private async endWithOutput(child: OwnedProcess): Promise<void> {
    const limit = delay(exitCodeWaitMs, null, { ref: false });
    const exit = await Promise.race([child.exited, limit]);
    this.end(exit === null ? msg('mcp.closedOutput') : exitMessage(exit));
  }

  private readStderr(child: OwnedProcess): void {
    const budget = new MessageBudget();
    let cost = 0;
    const log = (line: string): void => {
      cost += 1;
      if (line.trim() !== '') this.listener.log('INFO', line);
    };
    const lines = new JsonLines({ maxLineBytes: 64 * 1024, onLine: log, onTooLong: log });
    child.stderr.on('data', (chunk: Buffer) => {
      cost = chunk.length / bytesOfLine;
      lines.push(chunk);
      rest(child.stderr, budget.spend(0, cost));
    });
    child.stderr.once('end', () => lines.end());
  }

  private receive(line: string): void {
    if (this.isClosed || line.trim() === '') return;
    const message = this.parse(line);
    const isAnswer = message !== null && this.isAwaited(message);
    const waitMs = this.budget.spend(isAnswer ? 1 : 0, isAnswer ? 0 : 1);
    const { process } = this;
    if (process) rest(process.stdout, waitMs);
    if (message !== null && (isAnswer || 'method' in message)) this.deliver(message, isAnswer);
  }

  /**
   * The SDK drops the progress callback with the answer and handles the answer first, so news must
   * be delivered in an earlier turn.
   */
  private deliver(message: JSONRPCMessage, isAnswer: boolean): void {
    if (this.later.length === 0 && !(isAnswer && this.hasNews)) {
      if (!isAnswer && !this.hasNews) setImmediate(() => this.deliverLater());
      this.hasNews ||= !isAnswer;
      this.onmessage?.(message);
    } else this.later.push(message);
  }

  private deliverLater(): void {
    this.hasNews = false;
    for (const message of this.later.splice(0)) this.deliver(message, !('method' in message));
  }

  /** Late, repeated and unrequested answers are dropped. */
  private isAwaited(message: JSONRPCMessage): boolean {
    return !('method' in message) && message.id !== undefined && this.awaited.delete(message.id);
  }

  /** Programs often print other text; lines that are not messages are logged and skipped. */
  private parse(line: string): JSONRPCMessage | null {
    if (line.length > checkedCharacters && excessOf(line, messageLimits) !== null) {
      this.listener.log('WARN', 'A line nests too deep or holds too many values; it was left out.');
      return null;
    }
    try {
      const value: unknown = JSON.parse(line);
      if (isMessage(value)) return value;
    } catch {
      // Logged below.
    }
    this.listener.log('WARN', `stdout: ${truncate(line)}`);
    return null;
  }

  send(message: JSONRPCMessage): Promise<void> {
    const { process } = this;
    if (process === null || this.isClosed) return Promise.reject(new Error('It is not running.'));
    if (process.stdin.writableLength > maxUnreadBytes) {
      this.end(msg('mcp.readsNothing'));
      return Promise.reject(new Error('It does not read what is sent to it.'));
    }
    this.follow(message);
    process.stdin.write(`${JSON.stringify(message)}\n`);
    return Promise.resolve();
  }

  private follow(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) this.awaited.add(message.id);
    else if (message.method === 'notifications/cancelled')
      this.awaited.delete((message.params as { requestId: string | number }).requestId);
  }

  async close(): Promise<void> {
    const { process } = this;
    const isFirst = this.markEnded(null);
    // A server that exits when its input ends can clean up first.
    process?.stdin.end();
    if (isFirst && process) await Promise.race([process.exited, delay(ownEndMs)]);
    await process?.terminate(endGraceMs);
  }

  private end(why: Message): void {
    if (this.markEnded(why)) void this.process?.terminate(endGraceMs);
  }

  private markEnded(why: Message | null): boolean {
    if (this.isClosed) return false;
    for (const message of this.later.splice(0)) this.onmessage?.(message);
    this.isClosed = true;
    this.endReason = why;
    this.lines?.stop();
    this.process?.stdout.resume();
    this.process?.stderr.resume();
    this.onclose?.();
    return true;
  }
}

/** Pauses reading, so that a flooding program blocks. */
function rest(stream: Readable, waitMs: number): void {
  if (waitMs <= 0 || stream.isPaused()) return;
  stream.pause();
  setTimeout(() => stream.resume(), waitMs).unref();
}

const exitMessage = ({ code, signal }: ProcessExit): Message =>
  signal === null
    ? msg('mcp.endedWithCode', { exitCode: String(code) })
    : msg('mcp.endedBySignal', { signal });

const isMessage = (value: unknown): value is JSONRPCMessage =>
  typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';

const truncate = (text: string): string =>
  text.length > maxLoggedCharacters ? `${text.slice(0, maxLoggedCharacters)}…` : text;
