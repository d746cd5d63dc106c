import { Console } from 'node:console';

/** Prints a message for people on stderr: stdout carries machine-readable lines only. */
export function printMessage(message: string): void {
  process.stderr.write(`${message}\n`);
}

let announcing: NodeJS.WritableStream = process.stdout;

/**
 * Redirects everything written to stdout to stderr, because stdout belongs to a protocol from now
 * on.
 */
export function leaveStdout(): void {
  announcing = process.stderr;
  globalThis.console = new Console(process.stderr);
}

/** Prints one machine-readable line. Ignores a reader that has exited. */
export function announce(
  name: 'HOST_PORT' | 'HOST_TOKEN' | 'HOST_URL',
  value: string | number,
): void {
  announcing.write(`${name}=${value}\n`);
}
