import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const prefix = 'address-request-';
const patienceMs = 5_000;
const pollMs = 50;

/**
 * Requests a fresh address from the running host, for a second `npm start`: creates an empty file
 * that only the owner can read and sends SIGUSR2; the host writes the address into the file.
 */
export async function askForAddress(hostDirectory: string, pid: number): Promise<string> {
  const file = join(hostDirectory, prefix + randomUUID());
  await writeFile(file, '', { mode: 0o600, flag: 'wx' });
  try {
    process.kill(pid, 'SIGUSR2');
    for (const end = Date.now() + patienceMs; Date.now() < end; await wait(pollMs)) {
      const address = await readFile(file, 'utf8');
      if (address.endsWith('\n')) return address.trim();
    }
    throw new Error('The running host gave no address within 5 seconds. It may run without --web.');
  } finally {
    await rm(file, { force: true });
  }
}

/** Answers all pending requests. */
export async function answerAddressRequests(
  hostDirectory: string,
  address: () => string,
): Promise<void> {
  const names = (await readdir(hostDirectory)).filter((name) => name.startsWith(prefix));
  await Promise.all(
    names.map((name) =>
      writeFile(join(hostDirectory, name), `${address()}\n`, { flag: 'r+' }).catch(() => undefined),
    ),
  );
}
