import { sep } from 'node:path';

const dataVariable = /\$?[{%]?(?:env:)?\b(?:HOST_|CLAUDE_)?PLUGIN_DATA\b[}%]?/gi;
const rootInBraces = /\$\{(?:env:)?(?:HOST_|CLAUDE_)?PLUGIN_ROOT\b[^{}]*\}/gi;
const rootVariable = /(?:\$env:|\$|%)(?:HOST_|CLAUDE_)?PLUGIN_ROOT\b%?/gi;
/** `process.env.PLUGIN_ROOT` and the like, whose use cannot be determined. */
const rootName = /\b(?:HOST_|CLAUDE_)?PLUGIN_ROOT\b/gi;

/** Files that these programs read although their commands do not name them. */
const impliedFiles = new Map<string, readonly string[]>([
  ...['npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'bun', 'bunx'].map(
    (program) => [program, ['package.json']] as const,
  ),
  ['deno', ['deno.json', 'deno.jsonc']],
  ['make', ['Makefile', 'makefile', 'GNUmakefile']],
  ['just', ['justfile', 'Justfile', '.justfile']],
  ['rake', ['Rakefile']],
  ['uv', ['pyproject.toml', 'uv.lock']],
  ['uvx', ['pyproject.toml', 'uv.lock']],
  ['poetry', ['pyproject.toml']],
  ['cargo', ['Cargo.toml']],
  ['docker', ['docker-compose.yml', 'docker-compose.yaml', 'compose.yml', 'compose.yaml']],
]);

/**
 * Every path that a command, an argument, a folder or a variable's value may name, relative to the
 * plugin if possible; `.` is the plugin itself. Word and quote boundaries depend on the shell and
 * on the program (`node -e "…"`), so each reading counts: an extra path does no harm. `root` is the
 * directory of the plugin, for paths that were expanded already.
 */
export function namedPaths(text: string, root: string): Set<string> {
  const plain = text
    .replaceAll(root, '.')
    .replaceAll(root.replaceAll(sep, '/'), '.')
    .replace(dataVariable, '\0')
    .replace(rootInBraces, '.')
    .replace(rootVariable, '.')
    .replace(rootName, ' . ');
  const withoutQuotes = plain.replace(/["'`]/g, '').split(/[\s;&|<>(){},]+/);
  const betweenQuotes = plain.split(/[\s"'`;&|<>(){},]+/).filter((piece) => piece !== '.');
  const pieces = new Set([...quotedWords(plain, 0), ...withoutQuotes, ...betweenQuotes]);
  return new Set([plain, ...pieces].flatMap(pathsIn));
}

const maxQuoteLevels = 4;
const maxPathLength = 4_096;

/** Words as a shell splits them; a word with spaces or quotes may itself be a command. */
function quotedWords(text: string, level: number): string[] {
  return splitWords(text).flatMap((word) => {
    const inner = level < maxQuoteLevels && /[\s;&|<>()"']/.test(word) && word !== text;
    return inner ? [word, ...quotedWords(word, level + 1)] : [word];
  });
}

/** An unclosed quote extends to the end of the text. */
function splitWords(text: string): string[] {
  const words: string[] = [];
  let word = '';
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    const next = text.charAt(at + 1);
    if (char === quote) quote = '';
    else if (quote === '"' && char === '\\' && escapable.has(next)) {
      word += next;
      at += 1;
    } else if (quote !== '') word += char;
    else if (char === '"' || char === "'") quote = char;
    else if (wordEnds.has(char)) {
      words.push(word);
      word = '';
    } else word += char;
  }
  return [...words, word].filter((one) => one !== '');
}

const wordEnds = new Set(' \t\n\r\v\f;&|<>()');
const escapable = new Set('"\\$`');

/** Paths in `--flag=path`, `-Ipath`, `a:b`, `@path`, `file://path`, with both kinds of slashes. */
function pathsIn(piece: string): string[] {
  const parts = [
    piece,
    ...piece.split(/[=:@]/),
    ...(/^-[A-Za-z]./.test(piece) ? [piece.slice(2)] : []),
  ];
  const implied = impliedFiles.get(piece.replace(/^.*[\\/]|\.(?:exe|cmd)$/g, '')) ?? [];
  return [
    ...implied,
    ...parts
      .filter((part) => part !== '' && part.length <= maxPathLength)
      .flatMap((part) => [part, part.replaceAll('\\', '/')])
      .map(untilGlob),
  ];
}

/** For a path with a part that is only known at run time, the folder above that part. */
function untilGlob(path: string): string {
  const at = path.search(/[*?[\]$`{]/);
  if (at === -1) return path;
  const folder = path.slice(0, path.lastIndexOf('/', at) + 1);
  if (folder !== '') return folder;
  // `*.sh` matches all such files of the plugin; `$NAME` or `[a-z]` alone names nothing that can be
  // found.
  return /^[\w.-]*\*[\w.*-]*$/.test(path) ? '.' : path;
}
