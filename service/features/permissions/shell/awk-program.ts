import type { Word } from './segment.ts';

/** Commands that an awk program runs as written: `system("…")` and `"…" |`. More than awk runs. */
export function awkPayloads(argv: readonly Word[]): string[] {
  return argv.slice(1).flatMap(({ value }) => {
    const calls = value.matchAll(
      /system\s*\(\s*"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*\|(?!\|)/g,
    );
    const pipes = value.matchAll(/\|&?\s*"((?:[^"\\]|\\.)*)"/g);
    return [...calls, ...pipes].map(([, one, other]) => one ?? other ?? '').filter(Boolean);
  });
}

/** Why an awk program may do more than compute and print. */
export function awkDanger(program: string): string | null {
  const rest = program.replaceAll('||', ' ').replace(/^\s*(?:NR|NF|FNR|\$\d+)\s*>=?\s*\d+/, ' ');
  if (/system|getline|@|\|/.test(rest)) return 'its awk program may run other programs';
  if (rest.includes('>')) return 'its awk program may write files';
  return null;
}
