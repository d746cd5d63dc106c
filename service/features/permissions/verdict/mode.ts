import { gitSubcommandAt } from '../shell/git-command.ts';
import { programName } from '../shell/program-name.ts';
import type { Redirection, Segment, Word } from '../shell/segment.ts';
import type { Facts, Mode } from './call.ts';

export interface Setting {
  mode: Mode;
  sandbox: 'full' | 'reduced';
}

/** These have a guard of their own. */
const guarded = new Set(['web_search', 'web_fetch']);

/** Programs that speak to other machines or change more than files of the workspace. */
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

/** Sub-commands that fetch or publish. */
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

/** Why the mode asks for a call that no rule decides; null when it does not. */
export function modeAsks(facts: Facts, { mode, sandbox }: Setting): string | null {
  if (mode === 'full-access' || guarded.has(facts.tool)) return null;
  if (facts.command !== null) return commandAsks(facts, facts.command, mode, sandbox);
  if (facts.effect === 'read') return null;
  if (facts.effect === 'write') return mode === 'ask-for-approval' ? 'it changes something' : null;
  return facts.effect === 'execute' ? 'it runs a program' : 'it acts outside of this host';
}

function commandAsks(
  { wantsNetwork }: Facts,
  { line }: NonNullable<Facts['command']>,
  mode: Mode,
  sandbox: Setting['sandbox'],
): string | null {
  if (mode === 'ask-for-approval') return 'it runs a command';
  if (sandbox === 'reduced') return 'commands run without a full sandbox here';
  if (wantsNetwork) return 'it asks for the network';
  if (line.opaque !== null) return line.opaque;
  const leaves = line.segments.some(leavesFolder);
  for (const segment of line.segments) {
    const why = segmentAsks(segment, leaves);
    if (why !== null) return why;
  }
  return null;
}

function segmentAsks(segment: Segment, leaves: boolean): string | null {
  const { opaque, unsafe, redirections } = segment;
  if (opaque !== null) return opaque;
  if ([...segment.assignments, ...declaredBy(segment)].some((name) => choosesPrograms.test(name)))
    return 'it sets a variable that decides what runs';
  if (actsOutside(segment)) return `${segment.text} acts outside of this host`;
  if (changesWhatRuns(segment)) return `${segment.text} names a file that decides what runs later`;
  const writesInside =
    !leaves && unsafe === 'it writes to a file' && redirections.every(staysInside);
  return writesInside ? null : unsafe;
}

/** Variables that decide which program runs, or what it loads. */
const choosesPrograms =
  /^(?:PATH|IFS|ENV|BASH_ENV|BASHOPTS|SHELLOPTS|PROMPT_COMMAND|PS[0-4]|NODE_OPTIONS|RUBYOPT|LESSOPEN|LESSCLOSE|JAVA_TOOL_OPTIONS|(?:\w+_)?(?:PAGER|EDITOR|VISUAL|BROWSER)|LD_.*|DYLD_.*|GIT_.*|PYTHON.*|PERL5.*)$/;

function declaredBy({ argv: [program, ...words] }: Segment): string[] {
  const declares = /^(?:export|declare|typeset|readonly|local|env)$/.test(program?.value ?? '');
  return declares ? words.map(({ value }) => value.split('=', 1)[0] ?? '') : [];
}

/** What a shell, git, an editor or an agent reads on its own, outside of the sandbox as well. */
const runsLater =
  /(?:^|[/=])(?:\.git\/(?:hooks|config|modules)|\.husky|\.githooks|\.gitmodules$|\.gitattributes$|\.vscode|\.idea|\.devcontainer|\.mcp\.json$|\.claude|\.agents|\.codex|\.envrc$|\.npmrc$|\.(?:bash|zsh|k)(?:rc|env|_profile|_login|_logout)$|\.profile$|\.zprofile$|\.gitconfig$|\.ssh|authorized_keys$)(?:\/|$)?/;

/** Programs that only show the files that they are given. */
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

function changesWhatRuns({ argv, redirections }: Segment): boolean {
  const writes = redirections.some(
    ({ operator, target }) => !operator.startsWith('<') && runsLater.test(target?.value ?? ''),
  );
  if (writes) return true;
  const [program, ...words] = argv;
  if (program === undefined || onlyShows.has(programName(program.value))) return false;
  return words.some(({ value }) => runsLater.test(value));
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

/** A file of the folder that the command runs in, or below. */
function staysInside({ operator, target }: Redirection): boolean {
  if (operator.startsWith('<') || target === null) return true;
  return target.value === '/dev/null' || isInside(target);
}

function isInside({ literal, value }: Word): boolean {
  return literal && !/^[/~\\-]|^[a-z]:|(?:^|\/)\.\.(?:\/|$)/i.test(value);
}

/** Behind it relative paths mean files elsewhere. */
function leavesFolder({ argv: [program, folder] }: Segment): boolean {
  if (!/^(?:cd|pushd|popd|chdir|set-location|sl)$/.test(programName(program?.value ?? '')))
    return false;
  return folder === undefined || !isInside(folder);
}
