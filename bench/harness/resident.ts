import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const pollIntervalMs = 250;
/** Memory counts as settled when it changed by less than this fraction over several samples. */
const settledPart = 0.005;
const settledSamples = 8;
const settleLimitMs = 12_000;

/** Returns the resident memory of a process once it has settled. */
export async function settledMebibytes(pid: number): Promise<number> {
  const seen: number[] = [];
  const end = performance.now() + settleLimitMs;
  for (;;) {
    seen.push(await residentMebibytes(pid));
    const last = seen.slice(-settledSamples);
    const moved = Math.max(...last) - Math.min(...last);
    const isSettled = last.length === settledSamples && moved <= settledPart * last.at(-1)!;
    if (isSettled || performance.now() > end) return last.at(-1)!;
    await delay(pollIntervalMs);
  }
}

export async function residentMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  if (kibibytes === undefined) throw new Error('The kernel does not tell VmRSS.');
  return Number(kibibytes) / 1_024;
}
