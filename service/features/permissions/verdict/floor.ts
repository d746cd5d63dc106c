import { gitSubcommandAt } from '../shell/git-command.ts';
import { programName } from '../shell/program-name.ts';
import type { CommandLine, Segment, Word } from '../shell/segment.ts';
import type { Platform } from '../shell/read-command-line.ts';

/** Programs that no rule lets run unasked. */
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

/** The command that is on the floor, as a person reads it; null: none is. */
export function floorOf(line: CommandLine, text: string, platform: Platform): string | null {
  for (const segment of line.segments) if (isDangerous(segment, platform)) return segment.text;
  // What could not be read may still run in part: any word may be a program.
  const isClear = line.segments.every(({ opaque }) => opaque === null);
  if (isClear && line.opaque === null && !line.tooMuch) return null;
  const words = text.split(/[\s;&|(){}<>`$"'!=,]+/);
  const git = words.findIndex((word) => programName(word) === 'git');
  if (git >= 0 && words.includes('push', git)) return 'git push';
  return words.find((word) => isDangerousProgram(programName(word), platform)) ?? null;
}

/** The program that a call would start without a command line, where it is on the floor. */
export function programOnFloor(program: string | null, platform: Platform): string | null {
  return program !== null && isDangerousProgram(programName(program), platform) ? program : null;
}

/** Whether a command is one of those that no rule lets run unasked. */
export function isDangerous({ argv }: Segment, platform: Platform): boolean {
  const [program] = argv;
  if (program === undefined) return false;
  const name = programName(program.value);
  if (isDangerousProgram(name, platform)) return true;
  const has = (words: RegExp): boolean => argv.some(({ value }) => words.test(value));
  if (name === 'find') return has(/^-delete$/);
  if (name === 'systemctl') return has(/^(?:poweroff|reboot|halt|kexec|emergency|rescue)$/);
  if (name === 'init') return has(/^[06]$/);
  if (name === 'fuser') return has(/^-[a-z]*k|^--kill$/);
  if (name.startsWith('git-')) return pushes(name.slice('git-'.length), argv.slice(1));
  if (name !== 'git') return false;
  const at = gitSubcommandAt(argv);
  return typeof at === 'number' && pushes(argv[at]?.value ?? '', argv.slice(at + 1));
}

/** Sub-commands of git that change another repository. */
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
