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
  ],
  ...['.nvimrc', '.nvim.lua', '.dir-locals.el', '.gdbinit', '.lldbinit', '.mcp.json', '.claude'],
  ...['.claude.json', '.agents', '.codex', '.cursor', '.gemini', '.windsurf', '.continue', '.kiro'],
  '.roo',
  // Shells and sessions.
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.mkshrc', '.cshrc'],
  ...['.tcshrc', '.login', '.logout', '.inputrc', '.xprofile', '.xinitrc', '.xsession'],
  ...['.pam_environment', '.tmux.conf', '.screenrc', '.envrc', '.ssh', '.netrc', 'authorized_keys'],
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
  ],
]);

/** The same, by the folder that they lie in. */
const protectedInFolder: Readonly<Record<string, ReadonlySet<string>>> = {
  '.config': new Set(['fish', 'git', 'autostart', 'systemd', 'environment.d', 'nvim']),
  '.cargo': new Set(['config', 'config.toml']),
  '.yarn': new Set(['releases', 'plugins']),
};

/** In the folder of a repository of git, by which it is told what to run and where its settings are. */
export const protectedInGit: ReadonlySet<string> = new Set([
  ...['hooks', 'config', 'config.worktree', 'commondir', 'git-rebase-todo'],
]);

/** Whether what is called `name` in a folder called `folder` decides what runs later, `.git` apart. */
export function isProtectedName(folder: string, name: string): boolean {
  const key = name.toLowerCase();
  return protectedNames.has(key) || protectedInFolder[folder.toLowerCase()]?.has(key) === true;
}
