import type { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { JsonLines } from '../../../core/json-lines.ts';
import type { OwnedProcess, ProcessExit } from '../../../platform/processes.ts';
import { WorkerChannel } from './worker-channel.ts';
import type { WorkerError } from './worker-error.ts';
import { type Message, msg } from '../../../messages/index.ts';
import type { EventLog } from '../../../core/event-log.ts';

const initializeTimeoutMs = 10_000;
const stderrLineBytes = 16 * 1024;
const tailLines = 20;
const tailCharacters = 4 * 1024;
const loggedValues = 1_000;
const loggedTextCharacters = 8 * 1024;
/** Time to wait for answers that are still in the pipe of an ended worker. */
const drainMs = 250;
/** Time for a worker that closed its stdin or stdout to exit. */
const endMs = 1_000;

/** Receives events of one worker process, from its start to its end. */
export interface SessionListener {
  onAlive(): void;
  onTimeout(id: number, timeoutMs: number): void;
  onLineTooLong(): void;
  /** Called when the process exited or (null) closed a pipe; its last answers are delivered. */
  onEnded(exit: ProcessExit | null): void;
}

/**
 * The lifetime of one worker process: from the first call that needs it until its process tree has
 * ended.
 */
export class WorkerSession {
  readonly channel: WorkerChannel;
  /** Resolves when the process is connected, or could not be started. */
  launched: Promise<void> = Promise.resolve();
  private readonly log: EventLog;
  private readonly listener: SessionListener;
  private process: OwnedProcess | undefined;
  private streamsClosed: Promise<unknown> = Promise.resolve();
  private finished = false;
  private readonly errorLines: string[] = [];
  private noisy = false;
  private spoke = false;
  private isLeaving = false;
  private readonly departure = Promise.withResolvers<void>();

  constructor(log: EventLog, listener: SessionListener) {
    this.log = log;
    this.listener = listener;
    this.channel = new WorkerChannel({
      onAlive: () => {
        this.spoke = true;
        listener.onAlive();
      },
      onNotification: (method, params) => {
        if (method === 'host.log') this.logOf(params);
      },
      onNoise: (text) => {
        this.noisy = true;
        const message = `worker wrote something that is not JSON-RPC on stdout: ${text}`;
        log.add({ level: 'WARN', logger: null, thread: null, message });
      },
      onTimeout: (id, timeoutMs) => listener.onTimeout(id, timeoutMs),
      onLineTooLong: () => listener.onLineTooLong(),
      onEnd: () => void this.ended(),
    });
  }

  /** True once the worker is ending or has ended: then it accepts no more calls. */
  get over(): boolean {
    return this.isLeaving || this.finished;
  }

  /** Resolves when the whole process tree has ended. */
  get exited(): Promise<void> {
    return this.departure.promise;
  }

  /** Runs `launch`, which ends in `connect`; its failure is passed to `onFailure`. Called once. */
  start(launch: () => Promise<void>, onFailure: (error: unknown) => void): void {
    this.launched = launch().catch(onFailure);
  }

  /** Takes over the started process: sends the greeting, then the queued calls. */
  connect(process: OwnedProcess, greeting: unknown): void {
    this.process = process;
    if (this.over) return;
    this.readErrors(process.stderr);
    const options = { timeoutMs: initializeTimeoutMs, first: true };
    // An older worker answers "method not found" or nothing; both are fine.
    this.channel.request('host.initialize', greeting, options).then(
      () => undefined,
      () => undefined,
    );
    this.channel.open(process.stdin, process.stdout);
    this.streamsClosed = Promise.all([closed(process.stdout), closed(process.stderr)]);
    void process.exited.then(() => this.ended());
  }

  /**
   * Rejects every pending call and ends the process tree: SIGTERM, then SIGKILL after `graceMs`.
   * Resolves when it has ended. Only the first call has an effect.
   */
  leave(graceMs: number, errorFor: (id: number) => WorkerError): Promise<void> {
    if (!this.isLeaving) {
      this.isLeaving = true;
      this.channel.close(errorFor);
      const terminated = this.launched.then(() => this.process?.terminate(graceMs));
      terminated.then(this.departure.resolve, this.departure.resolve);
    }
    return this.exited;
  }

  /** Details of its end for the author of the worker. */
  hints(): Message[] {
    const hints: Message[] = [];
    if (this.noisy) hints.push(msg('plugins.hintNoise'));
    else if (!this.spoke) hints.push(msg('plugins.hintSilent'));
    if (this.errorLines.length > 0) {
      const lines = this.errorLines.join('\n').slice(-tailCharacters);
      hints.push(msg('plugins.hintStderr', { lines }));
    }
    return hints;
  }

  private async ended(): Promise<void> {
    if (this.over || this.process === undefined) return;
    this.finished = true;
    const exit = await Promise.race([this.process.exited, wait(endMs)]);
    await Promise.race([this.streamsClosed, wait(drainMs)]);
    if (!this.isLeaving) this.listener.onEnded(exit);
  }

  private readErrors(stderr: Readable): void {
    const add = (line: string): void => {
      const message = line.trimEnd();
      if (message === '') return;
      this.log.add({ level: 'INFO', logger: null, thread: null, message });
      this.errorLines.push(message);
      if (this.errorLines.length > tailLines) this.errorLines.shift();
    };
    const lines = new JsonLines({ maxLineBytes: stderrLineBytes, onLine: add, onTooLong: add });
    stderr.on('data', (chunk: Buffer) => lines.push(chunk));
    stderr.on('end', () => lines.end());
  }

  private logOf(params: unknown): void {
    if (typeof params !== 'object' || params === null) return;
    const { level, logger, thread, message } = params as Record<string, unknown>;
    this.log.add({
      level: typeof level === 'string' ? level.toUpperCase() : 'INFO',
      logger: typeof logger === 'string' ? logger : null,
      thread: typeof thread === 'string' ? thread : null,
      message: typeof message === 'string' ? message : jsonOf(message),
    });
  }
}

/** Only small values are serialized; a log line is cut anyway. */
function jsonOf(message: unknown): string {
  let remainingValues = loggedValues;
  const small = (_key: string, value: unknown): unknown => {
    remainingValues -= 1;
    if (remainingValues < 0) throw new RangeError();
    return typeof value === 'string' ? value.slice(0, loggedTextCharacters) : value;
  };
  try {
    return JSON.stringify(message, small) ?? '';
  } catch {
    return 'The worker logged a large value instead of a text.';
  }
}

function closed(stream: Readable): Promise<void> {
  return new Promise((resolve) => stream.once('close', resolve));
}

/** Expires only after arrived data is read, because this process itself may have been suspended. */
async function wait(limitMs: number): Promise<null> {
  await delay(limitMs, undefined, { ref: false });
  return nextTurn(null, { ref: false });
}
