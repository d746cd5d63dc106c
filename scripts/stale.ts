import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Runs `work` unless `output` exists and was built from inputs of the same content. */
export async function unlessFresh(
  name: string,
  output: string,
  inputs: string[],
  work: () => Promise<unknown>,
): Promise<void> {
  const stamp = join('dist', '.stamps', name);
  const hash = hashOf(['package-lock.json', ...inputs]);
  if (existsSync(output) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return;
  process.stderr.write(`Building ${name}\n`);
  await work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
}

function hashOf(patterns: string[]): string {
  const hash = createHash('sha256');
  const files = patterns
    .flatMap((pattern) => globSync(pattern))
    .filter((file) => statSync(file).isFile());
  for (const file of [...new Set(files)].sort())
    hash.update(file).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}
