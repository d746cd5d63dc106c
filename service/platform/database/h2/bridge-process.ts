import { setTimeout as delay } from 'node:timers/promises';
import { JsonLines } from '../../../core/json-lines.ts';
import { withTimeoutOrNull } from '../../../core/with-timeout.ts';
import { type Message, msg } from '../../../messages/index.ts';
import { connectionFailed } from '../connection-failed.ts';
import type { OwnedProcess, ProcessSpec, Processes } from '../../processes.ts';
import { type BridgeAnswer, type BridgeRequest, lineOf, maxLineBytes } from './bridge-protocol.ts';
import { bridgeEnded, h2ErrorOf } from './h2-errors.ts';

/** Limit for Java to start, in ms. */
const startLimitMs = 10_000;
/** Limit for H2 to close its file, in ms. */
const closeLimitMs = 8_000;
const maxErrorOutputBytes = 4_096;

/** A running bridge: a Java process with one H2 engine. */
export interface Bridge {
  /** Version of H2. */
  readonly version: string;
  readonly pid: number;
  /** True once it can no longer be used. */
  readonly hasEnded: boolean;
  readonly ended: Promise<void>;
  /** @throws H2Error an error of H2, or `H2_BRIDGE_GONE` */
  request(request: BridgeRequest): Promise<BridgeAnswer>;
  /** Lets H2 close its file, then kills the process. */
  close(): Promise<void>;
  /** Kills the process at once; committed data remains. */
  kill(): Promise<void>;
}

interface PendingAnswer {
  resolve: (answer: BridgeAnswer) => void;
  reject: (error: Error) => void;
}

/** @throws HostError `connection_failed` if Java does not start */
export async function startBridge(processes: Processes, spec: ProcessSpec): Promise<Bridge> {
  const child = await processes.spawn(spec).catch((error: unknown) => {
    throw connectionFailed((error as Error).message, error);
  });
  const bridge = new BridgeProcess(child);
  const started = await Promise.race([bridge.ready, delay(startLimitMs, false, { ref: false })]);
  if (started) return bridge;
  const errorOutput = bridge.errorOutput;
  await bridge.kill();
  throw connectionFailed(explainStart(errorOutput));
}

function explainStart(errorOutput: string): Message {
  if (errorOutput.includes('UnsupportedClassVersionError'))
    return msg('h2.javaTooOld', { version: 17 });
  if (/Could not reserve enough space|insufficient memory/i.test(errorOutput))
    return msg('h2.noMemory');
  return errorOutput === ''
    ? msg('h2.javaNotStartedInTime', { seconds: startLimitMs / 1_000 })
    : msg('h2.javaNotStarted');
}

class BridgeProcess implements Bridge {
  version = '';
  hasEnded = false;
  errorOutput = '';
  /** Resolves with true once the bridge has started. */
  readonly ready: Promise<boolean>;
  readonly ended: Promise<void>;
  private readonly child: OwnedProcess;
  private readonly pendingAnswers = new Map<number, PendingAnswer>();
  private lastId = 0;
  private onReady: (started: boolean) => void = () => undefined;

  constructor(child: OwnedProcess) {
    this.child = child;
    this.ready = new Promise((resolve) => (this.onReady = resolve));
    const lines = new JsonLines({
      maxLineBytes,
      onLine: (line) => this.handleLine(line),
      onTooLong: () => void this.kill(),
    });
    child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      this.errorOutput = `${this.errorOutput}${chunk.toString()}`.slice(-maxErrorOutputBytes);
    });
    this.ended = child.exited.then(() => {
      lines.stop();
      this.end();
    });
  }

  get pid(): number {
    return this.child.pid;
  }

  async request(request: BridgeRequest): Promise<BridgeAnswer> {
    if (this.hasEnded) throw bridgeEnded();
    const id = (this.lastId += 1);
    const line = lineOf(id, request);
    return new Promise((resolve, reject) => {
      this.pendingAnswers.set(id, { resolve, reject });
      this.child.stdin.write(line);
    });
  }

  async close(): Promise<void> {
    this.hasEnded = true;
    this.child.stdin.end();
    await withTimeoutOrNull(closeLimitMs, this.ended);
    await this.kill();
  }

  async kill(): Promise<void> {
    this.end();
    await this.child.terminate(0);
  }

  private handleLine(line: string): void {
    let answer: BridgeAnswer;
    try {
      answer = JSON.parse(line) as BridgeAnswer;
    } catch {
      void this.kill();
      return;
    }
    if (answer.version !== undefined) {
      this.version = answer.version;
      this.onReady(true);
      return;
    }
    const pending = this.pendingAnswers.get(answer.id ?? 0);
    this.pendingAnswers.delete(answer.id ?? 0);
    if (answer.error) pending?.reject(h2ErrorOf(answer.error));
    else pending?.resolve(answer);
  }

  private end(): void {
    this.hasEnded = true;
    this.onReady(false);
    for (const { reject } of this.pendingAnswers.values()) reject(bridgeEnded());
    this.pendingAnswers.clear();
  }
}
