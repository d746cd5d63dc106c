import { Worker } from 'node:worker_threads';
import { HostError, type ErrorKind } from '../../../core/host-error.ts';
import type { FromThread, ToThread } from './thread-messages.ts';
import { type Message, msg } from '../../../messages/index.ts';

const startMs = 30_000;
/** Actions have shorter limits; a thread that ignores them is ended after this time, in ms. */
const callMs = 90_000;
const resourceLimits = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 64 };
/** Most bytes buffered for the thread before Chromium is paused. */
const maxBufferedBytes = 16 * 1024 ** 2;

interface PendingCall {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/** Callbacks of the thread channel. */
export interface ThreadPorts {
  /** Sends bytes to Chromium. */
  write(bytes: Uint8Array): void;
  /** Pauses (false) or resumes (true) reading from Chromium. */
  setFlowing(flowing: boolean): void;
  /** Called once when the thread can no longer be used. */
  broken(why: Message): void;
}

/** The host's end of the connection to the thread. */
export class ThreadChannel {
  private readonly worker: Worker;
  private readonly ports: ThreadPorts;
  private readonly pendingCalls = new Map<number, PendingCall>();
  private readonly readiness = Promise.withResolvers<void>();
  private bufferedBytes = 0;
  private calls = 0;
  private over: HostError | null = null;

  constructor(ports: ThreadPorts) {
    this.ports = ports;
    const file = import.meta.filename.endsWith('.ts')
      ? 'chromium-thread.ts'
      : 'chromium-thread.mjs';
    const options = { resourceLimits, execArgv: [], env: {}, stdout: true, stderr: true };
    this.worker = new Worker(new URL(file, import.meta.url), options);
    this.worker.unref();
    this.worker.stdout.resume();
    this.worker.stderr.resume();
    this.worker.on('message', (message: FromThread) => this.handleMessage(message));
    this.worker.on('error', (error: Error) =>
      ports.broken(msg('browser.threadFailed', { reason: error.message })),
    );
    this.worker.on('exit', () => ports.broken(msg('browser.threadEnded')));
    this.readiness.promise.catch(() => undefined);
    const timer = setTimeout(() => ports.broken(msg('browser.threadNotStarted')), startMs).unref();
    void this.readiness.promise.then(() => clearTimeout(timer)).catch(() => undefined);
  }

  /** Forwards bytes of Chromium to the thread. */
  receive(bytes: Uint8Array): void {
    this.bufferedBytes += bytes.length;
    if (this.bufferedBytes > maxBufferedBytes) this.ports.setFlowing(false);
    this.post({ bytes });
  }

  async call(method: string, input: object): Promise<unknown> {
    await this.readiness.promise;
    if (this.over) throw this.over;
    const id = (this.calls += 1);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.ports.broken(msg('browser.noAnswer')), callMs);
      this.pendingCalls.set(id, { resolve, reject, timer });
      this.post({ call: { id, method, input } });
    });
  }

  end(why: HostError): void {
    if (this.over) return;
    this.over = why;
    this.readiness.reject(why);
    for (const { reject, timer } of this.pendingCalls.values()) {
      clearTimeout(timer);
      reject(why);
    }
    this.pendingCalls.clear();
    void this.worker.terminate();
  }

  private post(message: ToThread): void {
    if (!this.over) this.worker.postMessage(message);
  }

  private handleMessage(message: FromThread): void {
    if ('ready' in message) this.readiness.resolve();
    else if ('bytes' in message) this.ports.write(message.bytes);
    else if ('broken' in message) this.ports.broken(message.broken);
    else if ('taken' in message) {
      this.bufferedBytes -= message.taken;
      if (this.bufferedBytes <= maxBufferedBytes) this.ports.setFlowing(true);
    } else this.settle(message);
  }

  private settle(message: Extract<FromThread, { id: number }>): void {
    const pending = this.pendingCalls.get(message.id);
    if (!pending) return;
    this.pendingCalls.delete(message.id);
    clearTimeout(pending.timer);
    if ('value' in message) return pending.resolve(message.value);
    const { kind, code, text } = message.error;
    pending.reject(new HostError(kind as ErrorKind, code, text));
  }
}
