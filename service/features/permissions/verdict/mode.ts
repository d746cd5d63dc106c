import { isProtectedName, protectedInGit } from '../../../core/protected-names.ts';
import { isSetting } from '../shell/bash/program-variables.ts';
import { gitSubcommandAt } from '../shell/git-command.ts';
import { programName } from '../shell/program-name.ts';
import type { CommandLine, Segment } from '../shell/segment.ts';
import type { Facts, Mode } from './call.ts';
import { type Message, msg } from '../../../messages/index.ts';

/** The permission mode, and whether commands run in a full sandbox. */
export interface Setting {
  mode: Mode;
  sandbox: 'full' | 'reduced';
}

/** Programs that contact other machines or change more than files of the workspace. */
const reachesOut = new Set([
  ...['curl', 'wget', 'ssh', 'scp', 'sftp', 'rsync', 'ftp', 'telnet', 'nc', 'ncat', 'netcat'],
  ...['socat', 'ping', 'dig', 'nslookup', 'host', 'whois', 'nmap', 'http', 'https', 'aria2c'],
  ...['apt', 'apt-get', 'dnf', 'yum', 'pacman', 'brew', 'snap', 'flatpak', 'pip', 'pip3', 'pipx'],
  ...['npx', 'bunx', 'docker', 'podman', 'kubectl', 'helm', 'gh', 'glab', 'aws', 'gcloud', 'az'],
  ...[
    'terraform',
    'ansible',
    'ansible-playbook',
    'vagrant',
    'mail',
    'sendmail',
    'xdg-open',
    'open',
  ],
  ...['systemctl', 'service', 'crontab', 'at', 'mount', 'umount', 'iptables', 'chown', 'passwd'],
  ...['useradd', 'userdel', 'usermod', 'fdisk', 'parted', 'insmod', 'modprobe', 'sysctl', 'gem'],
  ...['invoke-webrequest', 'iwr', 'invoke-restmethod', 'irm', 'set-executionpolicy'],
]);

/** Sub-commands that download or publish. */
const reachesOutWith: Record<string, RegExp | undefined> = {
  git: /^(?:fetch|pull|clone|push|ls-remote|submodule|remote|send-email|svn|p4|lfs)$/,
  npm: /^(?:i|install|ci|add|update|upgrade|publish|login|exec|x|create|init|audit|outdated|view)$/,
  pnpm: /^(?:i|install|add|update|up|publish|login|exec|dlx|create|audit|outdated|fetch)$/,
  yarn: /^(?:install|add|up|upgrade|publish|npm|login|dlx|create|audit)$/,
  bun: /^(?:i|install|add|update|publish|x|create)$/,
  cargo: /^(?:install|publish|fetch|update|add|search|login|owner|yank)$/,
  go: /^(?:get|install|mod)$/,
  composer: /^(?:install|update|require|create-project)$/,
  bundle: /^(?:install|update|add)$/,
  dotnet: /^(?:add|restore|nuget|tool|publish)$/,
  uv: /^(?:pip|add|sync|tool|publish|lock)$/,
};

/** Returns the reason why the mode asks about a call that no rule decides, null if it does not. */
export function modeAsks(facts: Facts, { mode, sandbox }: Setting): Message | null {
  if (mode === 'full-access' || facts.guarded) return null;
  if (facts.command !== null) return commandAsks(facts, facts.command, mode, sandbox);
  if (facts.effect === 'read') return null;
  if (facts.effect === 'write')
    return mode === 'ask-for-approval' ? msg('permissions.changeNotAllowed') : null;
  return facts.effect === 'execute'
    ? msg('permissions.programNotAllowed')
    : msg('permissions.outsideNotAllowed');
}

function commandAsks(
  { wantsNetwork }: Facts,
  { line }: NonNullable<Facts['command']>,
  mode: Mode,
  sandbox: Setting['sandbox'],
): Message | null {
  if (mode === 'ask-for-approval') return msg('permissions.commandNotAllowed');
  const reason = commandReason(line, wantsNetwork, sandbox);
  return reason === null ? null : msg('permissions.commandNotAllowedBecause', { reason });
}

function commandReason(
  line: CommandLine,
  wantsNetwork: boolean,
  sandbox: Setting['sandbox'],
): Message | null {
  if (sandbox === 'reduced') return msg('command.noFullSandbox');
  if (wantsNetwork) return msg('command.wantsNetwork');
  if (line.opaque !== null) return line.opaque;
  if (!line.plain) return msg('command.notPlain');
  for (const segment of line.segments) {
    const reason = segmentReason(segment);
    if (reason !== null) return reason;
  }
  return null;
}

function segmentReason(segment: Segment): Message | null {
  if (actsOutside(segment)) return msg('command.actsOutside', { command: segment.text });
  if (changesWhatRuns(segment)) return msg('command.namesDecidingFile', { command: segment.text });
  const unusual = segment.assignments.find((name) => !isSetting(name));
  if (unusual !== undefined) return msg('command.setsForProgram', { name: unusual });
  return segment.unsafe;
}

/** Programs that only display their files. */
const onlyShows = new Set([
  ...['cat', 'head', 'tail', 'less', 'more', 'bat', 'grep', 'egrep', 'fgrep', 'rg', 'ls', 'stat'],
  ...['file', 'wc', 'diff', 'cmp', 'tree', 'test', '[', '[[', 'echo', 'printf', 'jq', 'cut', 'nl'],
  ...[
    'git',
    'md5sum',
    'sha256sum',
    'readlink',
    'realpath',
    'basename',
    'dirname',
    'du',
    'cd',
    'od',
    'xxd',
  ],
]);

function changesWhatRuns({ argv: [program, ...words] }: Segment): boolean {
  if (program === undefined || onlyShows.has(programName(program.value))) return false;
  return words.some(({ value }) => namesWhatRunsLater(value));
}

/** Returns true for a file that a shell, git, an editor or an agent reads on its own. */
function namesWhatRunsLater(word: string): boolean {
  const names = word.toLowerCase().split(/[/=]/);
  return names.some((name, at) => {
    const folder = names[at - 1] ?? '';
    return (
      name === '.gitattributes' ||
      isProtectedName(`${names[at - 2] ?? ''}/${folder}`, name) ||
      (folder === '.git' && (protectedInGit.has(name) || name === 'modules'))
    );
  });
}

function actsOutside({ argv }: Segment): boolean {
  const [program, ...words] = argv;
  if (program === undefined) return false;
  const name = programName(program.value);
  const at = name === 'git' ? gitSubcommandAt(argv) : null;
  const subcommand =
    typeof at === 'number'
      ? argv[at]?.value
      : words.find(({ value }) => !value.startsWith('-'))?.value;
  if (reachesOut.has(name)) return true;
  return subcommand === undefined
    ? name === 'yarn'
    : reachesOutWith[name]?.test(subcommand) === true;
}
