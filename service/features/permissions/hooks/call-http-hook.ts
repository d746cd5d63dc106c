import { type ClientRequest, type IncomingMessage, request as askPlain } from 'node:http';
import { request as askTls } from 'node:https';
import { type HookAnswer, noAnswer, timeLimitMs, tookTooLong } from './hook-answer.ts';
import { expandRoots } from '../../contributions/index.ts';
import { captureOutput } from './captured-output.ts';
import type { HookRun } from './run-command-hook.ts';
import type { RunnableHook } from './runnable-hook.ts';
import { type HostText, type Message, msg } from '../../../messages/index.ts';

const maxAnswerBytes = 1024 * 1024;

/**
 * Posts the payload to the address of the hook without following redirects. An empty 2xx response
 * and one with JSON are answers; everything else is a failure. Never throws.
 */
export function callHttpHook(run: Omit<HookRun, 'workspace'>): Promise<HookAnswer> {
  const { hook, payload, signal } = run;
  return new Promise((resolve) => {
    let asked: ClientRequest | null = null;
    const settle = (answer: HookAnswer): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      resolve(answer);
      asked?.destroy();
    };
    const fail = (failure: Message, timedOut = false): void =>
      settle({ ...noAnswer, failure, timedOut });
    const cancel = (): void => fail(msg('hooks.cancelled'));
    const timer = setTimeout(
      () => fail(tookTooLong(hook.timeoutSeconds), true),
      timeLimitMs(hook.timeoutSeconds),
    );
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) return cancel();
    try {
      asked = post(addressOf(hook), payload);
    } catch {
      return fail(msg('hooks.badAddress'));
    }
    asked.on('error', (error) => fail(msg('hooks.noAnswer', { reason: codeOf(error) })));
    asked.once('response', (response) => read(response, settle));
    asked.end(payload);
  });
}

const addressOf = ({ url = '', plugin }: RunnableHook): URL =>
  new URL(plugin === null ? url : expandRoots(url, plugin));

function post(url: URL, payload: string): ClientRequest {
  const ask = url.protocol === 'https:' ? askTls : askPlain;
  return ask(url, {
    method: 'POST',
    // A separate connection, so that nothing stays open after the hook.
    agent: false,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'Content-Length': Buffer.byteLength(payload),
    },
  });
}

/** If the connection breaks off, the bytes received so far are discarded. */
function read(response: IncomingMessage, settle: (answer: HookAnswer) => void): void {
  let bytes = 0;
  const output = captureOutput(response, maxAnswerBytes, (more) => {
    bytes += more;
    if (bytes > maxAnswerBytes) settle({ ...noAnswer, failure: msg('hooks.answerTooLarge') });
  });
  response.on('error', () => undefined);
  void output.ended.then(() => {
    const failure = response.complete ? problemOf(response.statusCode ?? 0) : brokeOff;
    settle({ ...noAnswer, stdout: output.text(), failure });
  });
}

const brokeOff = msg('hooks.answerBrokeOff');

/** The HTTP status alone never decides a call. */
function problemOf(status: number): Message | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return msg('hooks.redirected', { status });
  return msg('hooks.answeredStatus', { status });
}

/** Leaves the address out, because it may contain a password or a key. */
function codeOf(error: unknown): HostText {
  return error instanceof Error && 'code' in error ? String(error.code) : msg('hooks.noConnection');
}
