import { literalWord, type Word } from './segment.ts';

const withValue = new Set([
  ...['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--super-prefix', '--config-env'],
  ...['--attr-source'],
]);

/** Where the sub-command stands behind git's own options; null without one, or when it is not literal. */
export function gitSubcommandAt(argv: readonly Word[]): number | 'unknown' | null {
  for (let at = 1; at < argv.length; at += 1) {
    const { value, literal, mayHideOption } = argv[at]!;
    if (withValue.has(value)) {
      at += 1;
      // An unquoted variable may be several words, or none.
      if (argv[at]?.mayHideOption && /[$`]/.test(argv[at]!.text) && !argv[at]!.text.startsWith('"'))
        return 'unknown';
    } else if (mayHideOption) return 'unknown';
    else if (!value.startsWith('-')) return literal ? at : 'unknown';
  }
  return null;
}

interface Payloads {
  payloads: Word[];
  commands: Word[][];
}

/** Commands that git is told to run: aliases, filters, hooks of a sub-command. */
export function gitPayloads(argv: readonly Word[], subcommandAt: number): Payloads {
  const found: Payloads = { payloads: [], commands: [] };
  for (let at = 1; at < subcommandAt; at += 1)
    if (argv[at]!.value === '-c') configPayload(argv[at + 1], found);
  const rest = argv.slice(subcommandAt + 1);
  const named = rest.filter(({ value }) => !value.startsWith('-'));
  switch (argv[subcommandAt]?.value) {
    case 'bisect':
      if (named[0]?.value === 'run') found.commands.push(rest.slice(rest.indexOf(named[0]) + 1));
      break;
    case 'submodule':
      if (named[0]?.value === 'foreach') found.payloads.push(...named.slice(1, 2));
      break;
    case 'rebase':
      optionPayloads(rest, /^(?:-x|--exec)$/, found);
      break;
    case 'difftool':
      optionPayloads(rest, /^(?:-x|--extcmd)$/, found);
      break;
    case 'filter-branch':
      optionPayloads(rest, /^--[a-z-]+-filter$/, found);
      break;
  }
  return found;
}

function configPayload(word: Word | undefined, found: Payloads): void {
  const at = word?.value.indexOf('=') ?? -1;
  if (word === undefined || at < 0) return;
  const value = word.value.slice(at + 1).trim();
  if (!value.startsWith('!') && !/\s/.test(value)) return;
  found.payloads.push(literalWord(value.replace(/^!/, '')));
}

function optionPayloads(words: readonly Word[], option: RegExp, found: Payloads): void {
  words.forEach(({ value }, at) => {
    const [name = '', ...inline] = value.split('=');
    if (!option.test(name)) return;
    const payload = inline.length > 0 ? literalWord(inline.join('=')) : words[at + 1];
    if (payload !== undefined) found.payloads.push(payload);
  });
}
