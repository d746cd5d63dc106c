/**
 * Lower-case names of files and folders that a shell, git, an editor, a package manager or an agent
 * reads automatically: their content decides which code runs later. No other list of them exists.
 */
export const protectedNames: ReadonlySet<string> = new Set([
  // Hooks of git outside its own folder, and files that name repositories.
  ...['.husky', '.githooks', '.gitmodules', '.gitconfig', '.gitk', '.pre-commit-config.yaml'],
  ...['.pre-commit-config.yml', 'lefthook.yml', 'lefthook.yaml', '.lefthook.yml', '.lefthook.yaml'],
  ...['lefthook-local.yml', 'lefthook-local.yaml', '.lefthook-local.yml', '.lefthook-local.yaml'],
  ...['.lefthook', '.lefthook-local', '.overcommit.yml', '.simple-git-hooks.json'],
  // Editors and agents.
  ...[
    '.vscode',
    '.idea',
    '.devcontainer',
    '.devcontainer.json',
    '.fleet',
    '.zed',
    '.exrc',
    '.vimrc',
    '.vs',
    '.helix',
    '.emacs',
    '.emacs.d',
    '.spacemacs',
    '.vim',
    '.dir-locals-2.el',
  ],
  ...['.nvimrc', '.nvim.lua', '.dir-locals.el', '.gdbinit', '.lldbinit', '.mcp.json', '.claude'],
  ...['.claude.json', '.agents', '.codex', '.cursor', '.gemini', '.windsurf', '.continue', '.kiro'],
  ...['.roo', '.opencode', 'opencode.json', '.qwen', '.amazonq', '.junie', '.trae', '.kilocode'],
  ...['.crush.json', 'crush.json', '.aider.conf.yml', '.cline', '.factory', '.augment', '.goose'],
  // Shells and sessions.
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.mkshrc', '.cshrc'],
  ...['.tcshrc', '.login', '.logout', '.inputrc', '.xprofile', '.xinitrc', '.xsession'],
  ...['.pam_environment', '.tmux.conf', '.screenrc', '.envrc', '.ssh', '.netrc', 'authorized_keys'],
  ...['.direnvrc', '.shrc', '.xonshrc', '.elvish', '.xsessionrc', '.xserverrc', '.xresources'],
  ...['.xdefaults', '.selected_editor', '.lessfilter', '.forward', '.procmailrc', '.gnupg'],
  ...['.hgrc', '.ripgreprc', '.rvmrc', '.mise.toml', 'mise.toml', '.mise.local.toml', '.mise'],
  ...['mise.local.toml', '.autoenv', '.autoenv.zsh', '.zsh', '.oh-my-zsh', '.bashrc.d', '.psqlrc'],
  ...['.sqliterc', '.my.cnf', '.mongorc.js', '.mongoshrc.js', '.muttrc', '.mailcap', '.mailrc'],
  // Package managers and languages.
  ...[
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pnpmfile.cjs',
    '.pythonrc',
    '.irbrc',
    '.pryrc',
    '.rprofile',
    '.renviron',
  ],
  ...['.pnpmfile.mjs', '.bunfig.toml', 'bunfig.toml', '.condarc', '.gemrc', '.pypirc', '.bazelrc'],
  ...['.bazeliskrc', '.buckconfig', '.buckconfig.local', '.sbtopts', '.jvmopts', '.terraformrc'],
  ...['.tclshrc', '.wishrc', '.expect.rc', '.guile', '.sbclrc', '.lein', '.gdbearlyinit'],
  ...['.pdbrc', '.perldb', '.ghci', '.ocamlinit', '.iex.exs', '.erlang', '.octaverc', '.ipython'],
]);

/** Protected endings of names. */
export const protectedSuffixes: readonly string[] = ['.code-workspace'];

/** Names that are protected only in a folder with this name, or with these last two names. */
export const protectedInFolder: Readonly<Record<string, ReadonlySet<string>>> = {
  '.config': new Set([
    ...['fish', 'git', 'autostart', 'systemd', 'environment.d', 'nvim', 'direnv', 'nushell'],
    ...['powershell', 'xonsh', 'elvish', 'helix', 'zed', 'emacs', 'starship.toml', 'jj', 'tmux'],
    ...['zsh', 'bash', 'mise', 'code', 'code - oss', 'vscodium', 'cursor', 'pip', 'uv', 'hg'],
  ]),
  '.cargo': new Set(['config', 'config.toml']),
  '.yarn': new Set(['releases', 'plugins']),
  '.gradle': new Set(['init.d', 'init.gradle', 'init.gradle.kts']),
  '.hg': new Set(['hgrc', 'hgrc-not-shared', 'sharedpath']),
  '.jj/repo': new Set(['config.toml']),
  '.jj': new Set(['workspace-config.toml']),
  '.sl': new Set(['config', 'sharedpath']),
  '.pijul': new Set(['config']),
  '.mvn': new Set(['extensions.xml', 'jvm.config', 'maven.config']),
  '.bundle': new Set(['config']),
  '.docker': new Set(['config.json', 'cli-plugins']),
  '.kube': new Set(['config']),
  '.aws': new Set(['config', 'credentials']),
  '.local': new Set(['bin']),
  '.local/share': new Set(['applications', 'systemd', 'dbus-1', 'nvim']),
};

/**
 * Names in a git repository folder that decide which programs git runs and where its settings are.
 */
export const protectedInGit: ReadonlySet<string> = new Set([
  ...['hooks', 'config', 'config.worktree', 'commondir', 'git-rebase-todo'],
]);

/**
 * Returns true if a file of that name replaces the folder and contains its path, like `.git` in a
 * work tree.
 */
export function isFolderPointer(folder: string, name: string): boolean {
  const key = name.toLowerCase();
  return key === '.git' || (key === 'repo' && /(?:^|\/)\.jj$/i.test(folder));
}

/**
 * Returns true if `name` in the folder at path `folder` decides which code runs later, except for
 * `.git`.
 */
export function isProtectedName(folder: string, name: string): boolean {
  const key = name.toLowerCase();
  return (
    protectedNames.has(key) ||
    protectedSuffixes.some((suffix) => key.endsWith(suffix)) ||
    lastNames(folder).some((names) => protectedInFolder[names]?.has(key) === true)
  );
}

/** The last name of a path, and the last two names. */
function lastNames(path: string): [string, string] {
  const at = path.lastIndexOf('/');
  const before = at > 0 ? path.lastIndexOf('/', at - 1) : -1;
  return [path.slice(at + 1).toLowerCase(), path.slice(before + 1).toLowerCase()];
}
