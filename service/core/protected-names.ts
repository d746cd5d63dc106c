/**
 * Names of files and folders, in lower case, that a shell, git, an editor, a package manager or an
 * agent reads on its own, so that who writes them decides what runs later. The only list of them.
 */
export const protectedNames: ReadonlySet<string> = new Set([
  // Hooks of git beside its own folder, and what names repositories.
  ...['.husky', '.githooks', '.gitmodules', '.gitconfig'],
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
  ],
  ...['.nvimrc', '.nvim.lua', '.dir-locals.el', '.gdbinit', '.lldbinit', '.mcp.json', '.claude'],
  ...['.claude.json', '.agents', '.codex', '.cursor', '.gemini', '.windsurf', '.continue', '.kiro'],
  ...['.roo', '.opencode', 'opencode.json', '.qwen', '.amazonq', '.junie', '.trae', '.kilocode'],
  ...['.crush.json', 'crush.json', '.aider.conf.yml'],
  // Shells and sessions.
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.mkshrc', '.cshrc'],
  ...['.tcshrc', '.login', '.logout', '.inputrc', '.xprofile', '.xinitrc', '.xsession'],
  ...['.pam_environment', '.tmux.conf', '.screenrc', '.envrc', '.ssh', '.netrc', 'authorized_keys'],
  ...['.direnvrc', '.shrc', '.xonshrc', '.elvish', '.xsessionrc', '.xserverrc', '.xresources'],
  ...['.xdefaults', '.selected_editor', '.lessfilter', '.forward', '.procmailrc', '.gnupg'],
  ...['.hgrc', '.ripgreprc'],
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
  ...['.pdbrc', '.perldb', '.ghci', '.ocamlinit', '.iex.exs', '.erlang', '.octaverc', '.ipython'],
]);

/** The same for the end of a name. */
export const protectedEndings: readonly string[] = ['.code-workspace'];

/** The same, by the folder that they lie in. */
export const protectedInFolder: Readonly<Record<string, ReadonlySet<string>>> = {
  '.config': new Set([
    ...['fish', 'git', 'autostart', 'systemd', 'environment.d', 'nvim', 'direnv', 'nushell'],
    ...['powershell', 'xonsh', 'elvish', 'helix', 'zed', 'emacs', 'starship.toml', 'jj'],
  ]),
  '.cargo': new Set(['config', 'config.toml']),
  '.yarn': new Set(['releases', 'plugins']),
  '.gradle': new Set(['init.d', 'init.gradle', 'init.gradle.kts']),
  '.hg': new Set(['hgrc', 'hgrc-not-shared', 'sharedpath']),
  '.local': new Set(['bin']),
};

/** In the folder of a repository of git, by which it is told what to run and where its settings are. */
export const protectedInGit: ReadonlySet<string> = new Set([
  ...['hooks', 'config', 'config.worktree', 'commondir', 'git-rebase-todo'],
]);

/** Whether what is called `name` in a folder called `folder` decides what runs later, `.git` apart. */
export function isProtectedName(folder: string, name: string): boolean {
  const key = name.toLowerCase();
  return (
    protectedNames.has(key) ||
    protectedEndings.some((ending) => key.endsWith(ending)) ||
    protectedInFolder[folder.toLowerCase()]?.has(key) === true
  );
}
