import { Console } from 'node:console';

/** For people: stdout carries machine-readable lines only. */
export function printMessage(message: string): void {
  process.stderr.write(`${message}\n`);
}

let announcing: NodeJS.WritableStream = process.stdout;

/** From now on stdout belongs to somebody else: everything that would go there goes to stderr. */
export function leaveStdout(): void {
  announcing = process.stderr;
  globalThis.console = new Console(process.stderr);
}

/** One machine-readable line; a reader that has gone does not matter. */
export function announce(
  name: 'HOST_PORT' | 'HOST_TOKEN' | 'HOST_URL',
  value: string | number,
): void {
  announcing.write(`${name}=${value}\n`);
}
