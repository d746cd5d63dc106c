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

/** Why nobody can tell what an awk program runs; null: it runs nothing. */
export function awkOpacity(argv: readonly Word[]): string | null {
  const words = argv.slice(1);
  if (words.some(({ literal, mayHideOption }) => !literal && mayHideOption))
    return programAt(words) === null ? null : 'its awk program is not written out';
  return words.some(({ value }) => runs(value)) ? 'its awk program runs other programs' : null;
}

/** Null: the program is written out, and what only the shell knows are files behind it. */
function programAt(words: readonly Word[]): number | null {
  const program = words.findIndex(
    ({ value }, at) => !value.startsWith('-') && !/^-[vF]$/.test(words[at - 1]?.value ?? ''),
  );
  const open = words.findIndex(({ literal, mayHideOption }) => !literal && mayHideOption);
  if (program >= 0 && open > program)
    return words.slice(0, open).some(({ value }) => runs(value)) ? open : null;
  return open;
}

/** Without texts, regular expressions and comparisons in brackets. */
function bareProgram(program: string): string {
  return program
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .replaceAll(/(^|[~(,!&|{;}]\s*)\/(?:[^/\\\n]|\\.)*\//g, '$1_')
    .replaceAll('||', ' ');
}

function runs(program: string): boolean {
  return /system|\||getline|@/.test(bareProgram(program));
}

/** Why an awk program may do more than compute and print. */
export function awkDanger(program: string): string | null {
  if (runs(program)) return 'its awk program may run other programs';
  let bare = bareProgram(program);
  for (let before = ''; before !== bare;) {
    before = bare;
    bare = bare.replaceAll(/\([^()]*\)/g, '_');
  }
  return /\bprintf?\b[^;}\n]*>/.test(bare) ? 'its awk program may write files' : null;
}
