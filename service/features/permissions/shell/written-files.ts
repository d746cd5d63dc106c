import { isDevice } from './device-file.ts';
import { interpreterOf } from './interpreters.ts';
import { programName } from './program-name.ts';
import type { Segment, Word } from './segment.ts';
import { shells, wrapperOf } from './wrappers.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** Programs that treat the content of a file as data. */
const dataPrograms = new Set(
  `: [ [[ test cat tac head tail less more bat wc cut paste join nl od xxd hexdump strings sort uniq tr rev fold fmt
  column shuf grep egrep fgrep rg ag ack diff cmp comm ls dir stat file du tree basename dirname realpath
  readlink echo printf true false rm rmdir unlink chmod chown chgrp touch mkdir cd pushd popd jq yq md5sum sha1sum
  sha256sum sha512sum cksum b2sum base64 gzip gunzip zcat xz zstd bzip2 zip wl-copy xclip pbcopy open xdg-open
  git curl wget scp rsync kill sleep wait export declare local read mapfile readarray set unset shift return
  exit trap type which command tee cp mv ln install dd sponge dos2unix iconv`
    .split(/\s+/)
    .filter(Boolean),
);

/** Programs that write to a file that they name. */
const writers = new Set(['tee', 'cp', 'mv', 'ln', 'install', 'dd', 'sponge']);

/** Files that programs read on their own and that decide what runs. */
const decides =
  /^(?:(?:GNU)?makefile|.*\.mk|package\.json|\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.c?js|build\.rs|cargo\.toml|pyproject\.toml|setup\.(?:py|cfg)|tox\.ini|noxfile\.py|conftest\.py|sitecustomize\.py|usercustomize\.py|rakefile|gemfile|\.?justfile|taskfile\.ya?ml|cmakelists\.txt|meson\.build|build\.(?:gradle|xml|sbt)(?:\.kts)?|settings\.gradle(?:\.kts)?|pom\.xml|dockerfile|(?:docker-)?compose\.ya?ml|\.(?:bash|zsh|k?sh)\w*|\.profile|\.login|\.inputrc|\.(?:g?vim|ex|nano|screen|tmux|gdb|lldb|psql|sqlite|my|perl|irb|pry|emacs|mail|mutt|wget|curl|npm|pyth\w*)(?:rc|init|\.conf|\.el)?|\.gitconfig|\.gitattributes|\.gitmodules|config|\.envrc|\.env|.*\.config\.[cm]?[jt]s|\.\w*rc(?:\.\w+)?)$/i;

/**
 * Returns the reason why a line is not understood that writes a file and then runs it, or writes
 * one that a program reads on its own: the file contains what runs. Null if it does neither.
 */
export function runsWhatItWrites(segments: readonly Segment[]): Message | null {
  const written = writtenNames(segments);
  for (const segment of segments) {
    const why = segmentRuns(segment, written);
    if (why !== null) return why;
  }
  return fetchedAndRun(segments);
}

interface Written {
  names: Set<string>;
  /** True if some names are not literal. */
  open: boolean;
}

function writtenNames(segments: readonly Segment[]): Written {
  const written: Written = { names: new Set(), open: false };
  for (const { argv, redirections } of segments) {
    const targets = redirections
      .filter(
        ({ operator, descriptor }) =>
          />/.test(operator) && !(operator === '>&' && descriptor !== ''),
      )
      .flatMap(({ target }) => (target === null ? [] : [target]))
      .filter(({ value }) => !/^(?:\d+-?|-)$/.test(value) && !isDevice(value));
    const words = writers.has(nameOf(argv)) ? argv.slice(1) : [];
    for (const { value, literal } of [...targets, ...words]) {
      if (literal) written.names.add(baseName(value));
      else written.open = true;
    }
  }
  return written;
}

const nameOf = (argv: readonly Word[]): string => programName(argv[0]?.value ?? '');

const baseName = (path: string): string => path.replace(/^of=/, '').replace(/.*\//s, '');

function segmentRuns({ argv }: Segment, { names, open }: Written): Message | null {
  if (names.size === 0 && !open) return null;
  const files = runFiles(argv);
  const reason = msg('command.runsWrittenFile');
  if (open && files.length > 0) return reason;
  if (files.some((file) => names.has(file))) return reason;
  if (argv.length === 0 || isData(nameOf(argv))) return null;
  if ([...names].some((name) => decides.test(name))) return msg('command.writesDecidingFile');
  return argv.some(({ value }) => pieces(value).some((name) => names.has(name)))
    ? msg('command.readsWrittenFile')
    : null;
}

/** A wrapper or a search runs nothing by itself: its command is a separate segment. */
const isData = (name: string): boolean =>
  dataPrograms.has(name) || /^(?:find|fd|fdfind)$/.test(name) || wrapperOf(name) !== undefined;

/** Returns the files that a command runs as a program. */
function runFiles(argv: readonly Word[]): string[] {
  const [program, ...words] = argv;
  if (program === undefined) return [];
  const name = programName(program.value);
  const own = /^[^@].*\//s.test(program.value) ? [baseName(program.value)] : [];
  const runs =
    shells.has(name) || /^(?:\.|source)$/.test(name) || interpreterOf(name) !== undefined;
  const operand = runs ? words.find(({ value }) => !/^[-+]/.test(value)) : undefined;
  const files = operand === undefined ? [] : [operand.value];
  if (/^(?:[gmn]?awk|g?sed|g?make)$/.test(name)) files.push(...namedFiles(words));
  return [...own, ...files.map(baseName)];
}

/** `-f file`, `-ffile` and `--file=file`. */
function namedFiles(words: readonly Word[]): string[] {
  return words.flatMap(({ value }, at) => {
    const inline = /^(?:-\w*?f|--f\w*=)(.+)$/s.exec(value)?.[1];
    const before = words[at - 1]?.value ?? '';
    return inline === undefined ? (/^(?:-\w*f|--f\w*)$/.test(before) ? [value] : []) : [inline];
  });
}

/** File names in a word: after `=` or `:`, in a list, in a text. */
const pieces = (value: string): string[] =>
  [value, ...value.split(/[\s=:,;"'()<>|@]+/)].map(baseName).filter(Boolean);

/** `curl -o x … && sh x`. */
function fetchedAndRun(segments: readonly Segment[]): Message | null {
  const files = new Set(segments.flatMap(({ argv }) => runFiles(argv)));
  if (files.size === 0) return null;
  const mayHaveWritten = segments.some(
    ({ argv }) =>
      mayWrite(nameOf(argv)) &&
      runFiles(argv).length === 0 &&
      argv.some(({ value }) => pieces(value).some((name) => files.has(name))),
  );
  return mayHaveWritten ? msg('command.runsOtherWrittenFile') : null;
}

const mayWrite = (name: string): boolean =>
  !isData(name) || /^(?:curl|wget|scp|rsync|sort|yq|iconv)$/.test(name);
