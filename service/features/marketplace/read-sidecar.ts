import { open, stat } from 'node:fs/promises';

/** Larger files contain checksums of many files. */
export const maxSidecarBytes = 4_096;

/** The beginning of the `.sha256` file next to a local package; undefined if it cannot be read. */
export async function readSidecar(packageFile: string): Promise<string | undefined> {
  const path = `${packageFile}.sha256`;
  // Opening a special file may block.
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) return undefined;
  const file = await open(path).catch(() => null);
  if (file === null) return undefined;
  try {
    const bytes = Buffer.alloc(maxSidecarBytes);
    const { bytesRead } = await file.read(bytes, 0, maxSidecarBytes, 0);
    return bytes.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
