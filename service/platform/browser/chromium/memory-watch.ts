import { readdir, readFile } from 'node:fs/promises';

const everyMs = 1_000;
const pageBytes = 4_096;
const mebibyte = 1024 ** 2;

/** Limit of one process; only a page made for it needs more. */
export const maxResidentBytes = 1_536 * mebibyte;

/**
 * Kills each process of a session that uses more memory than a page may; its page then counts as
 * crashed. Linux only; a no-op elsewhere. Returns a function that ends the watch.
 */
export function watchMemory(session: number, onEnded: (bytes: number) => void): () => void {
  if (process.platform !== 'linux') return () => undefined;
  let isChecking = false;
  const check = async (): Promise<void> => {
    isChecking = true;
    for (const { pid, bytes } of await residents(session)) {
      if (bytes <= maxResidentBytes) continue;
      kill(pid);
      onEnded(bytes);
    }
    isChecking = false;
  };
  const timer = setInterval(() => {
    if (!isChecking) void check();
  }, everyMs).unref();
  return () => clearInterval(timer);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

async function residents(session: number): Promise<{ pid: number; bytes: number }[]> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(names.map((name) => residentOf(name, session)));
  return found.filter((one) => one !== null);
}

/** Format: `pid (name) state parent group session …`; the name may contain anything, even `)`. */
async function residentOf(
  name: string,
  session: number,
): Promise<{ pid: number; bytes: number } | null> {
  const text = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (Number(fields[3]) !== session) return null;
  return { pid: Number(name), bytes: Number(fields[21]) * pageBytes };
}
