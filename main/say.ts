/** For people: stdout carries machine-readable lines only. */
export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** One machine-readable line; a reader that has gone does not matter. */
export function announce(
  name: 'HOST_PORT' | 'HOST_TOKEN' | 'HOST_URL',
  value: string | number,
): void {
  process.stdout.write(`${name}=${value}\n`);
}
