import { gitSubcommandAt } from '../shell/git-command.ts';
import { programName } from '../shell/program-name.ts';
import type { CommandLine, Segment, Word } from '../shell/segment.ts';
import type { Platform } from '../shell/read-command-line.ts';

/** Programs that always need an approval, whatever the rules. */
const dangerous = new Set([
  ...['rm', 'rmdir', 'sudo', 'su', 'doas', 'kill', 'pkill', 'killall', 'dd', 'shutdown', 'reboot'],
  ...['shred', 'pkexec', 'runuser', 'poweroff', 'halt', 'wipefs', 'sudoedit', 'run0', 'gksudo'],
  ...['unlink', 'srm', 'rimraf', 'killall5', 'skill', 'xkill', 'telinit', 'blkdiscard', 'mkswap'],
]);
const dangerousOnWindows = new Set([
  ...['del', 'erase', 'rd', 'ri', 'taskkill', 'remove-item', 'stop-process', 'spps', 'format'],
  ...['diskpart', 'clear-content', 'stop-computer', 'restart-computer', 'format-volume'],
  ...['clear-disk', 'remove-partition', 'clear-recyclebin', 'remove-itemproperty', 'vssadmin'],
  ...['bcdedit'],
]);

/**
 * Returns the command of the line that is on the floor, as text for people; null if there is none.
 */
export function floorOf(line: CommandLine, text: string, platform: Platform): string | null {
  for (const segment of line.segments) if (isDangerous(segment, platform)) return segment.text;
  const open = line.segments.find(({ argv }) => mayBeDangerous(argv[0], platform));
  if (open !== undefined) return open.text;
  // A line that is only partly understood may still run: any word may be a program.
  const isClear = line.segments.every(({ opaque }) => opaque === null);
  if (isClear && line.opaque === null && !line.tooMuch) return null;
  // A word directly after the dash of `>&-` is a separate word.
  const words = text.replaceAll(/&\s*-/g, '& ').split(/[\s;&|(){}<>`$"'!=,]+/);
  if (words.includes('push') && words.some((word) => programName(word) === 'git'))
    return 'git push';
  return words.find((word) => isDangerousProgram(programName(word), platform)) ?? null;
}

/** Returns true for a partly literal program, as in `r${x:-m}` and `/bin/r?`. */
function mayBeDangerous(program: Word | undefined, platform: Platform): boolean {
  if (program === undefined || program.literal) return false;
  const parts = programName(program.value)
    .split(/(\uFFFC|\[[^\]]*\]|\{.*\}|[*?])/)
    .map((part, at) => (at % 2 === 0 ? part.replaceAll(/\W/g, String.raw`\$&`) : '.*'));
  if (parts.every((part) => part === '.*' || part === '')) return false;
  const pattern = new RegExp(`^${parts.join('')}$`);
  const names = platform === 'win32' ? [...dangerous, ...dangerousOnWindows] : [...dangerous];
  return [...names, 'mkfs', 'git'].some((name) => pattern.test(name));
}

/** Returns the program that a call starts without a command line, if it is on the floor. */
export function programOnFloor(program: string | null, platform: Platform): string | null {
  return program !== null && isDangerousProgram(programName(program), platform) ? program : null;
}

/** Programs that are on the floor only with one of these words. */
const dangerousWords: Record<string, RegExp | undefined> = {
  find: /^-delete$/,
  systemctl: /^(?:poweroff|reboot|halt|kexec|emergency|rescue)$/,
  init: /^[06]$/,
  fuser: /^-[a-z]*k|^--kill$/,
};

/** Returns true for a command that always needs an approval. */
export function isDangerous({ argv }: Segment, platform: Platform): boolean {
  const [program] = argv;
  if (program === undefined) return false;
  const name = programName(program.value);
  if (isDangerousProgram(name, platform)) return true;
  const has = (words: RegExp): boolean => argv.some(({ value }) => words.test(value));
  const words = Object.hasOwn(dangerousWords, name) ? dangerousWords[name] : undefined;
  if (words !== undefined) return has(words);
  if (name.startsWith('git-')) return pushes(name.slice('git-'.length), argv.slice(1));
  if (name !== 'git') return false;
  const at = gitSubcommandAt(argv);
  if (at === 'unknown') return true;
  return typeof at === 'number' && pushes(argv[at]?.value ?? '', argv.slice(at + 1));
}

/** Returns true for sub-commands of git that change another repository. */
function pushes(subcommand: string, words: readonly Word[]): boolean {
  if (/^(?:push|send-pack|http-push|cvsexportcommit)$/.test(subcommand)) return true;
  const has = (names: RegExp): boolean => words.some(({ value }) => names.test(value));
  if (subcommand === 'subtree') return has(/^push$/);
  if (subcommand === 'svn') return has(/^(?:dcommit|set-tree|commit-diff|branch|tag)$/);
  if (subcommand === 'p4') return has(/^submit$/);
  return subcommand === 'lfs' && has(/^push$/);
}

function isDangerousProgram(name: string, platform: Platform): boolean {
  return (
    dangerous.has(name) ||
    name.startsWith('mkfs') ||
    (platform === 'win32' && dangerousOnWindows.has(name))
  );
}
