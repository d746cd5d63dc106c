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

/** Whether one of its commands is put together by the program itself. */
export function awkRunsUnwritten(argv: readonly Word[]): boolean {
  return argv.slice(1).some(({ value }) => {
    const rest = value
      .replaceAll(/system\s*\(\s*"(?:[^"\\]|\\.)*"\s*\)/g, '')
      .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
    return /\bsystem\s*\(|[A-Za-z_]\w*\s*\|&?\s*getline\b|\bprintf?\b[^;}\n|]*\|&?\s*[A-Za-z_$]/.test(
      rest,
    );
  });
}

/** Why an awk program may do more than compute and print. */
export function awkDanger(program: string): string | null {
  const rest = program.replaceAll('||', ' ').replace(/^\s*(?:NR|NF|FNR|\$\d+)\s*>=?\s*\d+/, ' ');
  if (/system|getline|@|\|/.test(rest)) return 'its awk program may run other programs';
  if (rest.includes('>')) return 'its awk program may write files';
  return null;
}
