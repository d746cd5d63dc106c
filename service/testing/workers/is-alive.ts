import { readFileSync } from 'node:fs';

/** Whether the process runs; a zombie that nobody has collected yet is dead. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
