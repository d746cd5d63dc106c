import { evil } from './deferred-execution-attacks.ts';

/** Initial workspace, a command, and the person's later action. */
export interface Bypass {
  name: string;
  before: string;
  command: string;
  /** Prints EVIL, or runs something that does, if the command changed what runs later. */
  after: string;
}

const commit = 'git commit --allow-empty -qm later; cat EVIL';
const evilFile = (path: string): string => `${evil} > ${path}; chmod +x ${path}`;
const evilSettings = (path: string): string =>
  `printf '[core]\\n fsmonitor = "echo EVIL > EVIL; false"\\n' >> ${path}`;
const harmlessFile = (path: string): string => `printf '#!/bin/sh\\n' > ${path}; chmod +x ${path}`;
const status = 'git status; cat EVIL';

const tree = 'git worktree add -q tree -b tree';
const submodule = [
  'git init -q ../lib && git -C ../lib commit --allow-empty -qm lib',
  'git -c protocol.file.allow=always submodule --quiet add ../lib lib && git commit -qm lib',
].join('\n');
const nested = 'git init -q nested';
const evilTasks = 'mkdir -p sub/.vscode; echo EVIL > sub/.vscode/tasks.json';
const showTasks = 'cat sub/.vscode/tasks.json';

/** Includes hidden variants; the workspace has `sub/.vscode/tasks.json`, `.mcp.json`, `tools`. */
export const bypasses: Bypass[] = [
  // Moves a folder with a protected file to an unprotected path and puts another one in its place.
  ...['node_modules', '.git/objects', '.git/y', '.git/refs', '.vscode'].map((path) => ({
    name: `a folder is moved into ${path}`,
    before: '',
    command: `mkdir -p ${path}; perl -e 'rename "sub","${path}/sub"'; mv sub ${path}/sub; ${evilTasks}`,
    after: showTasks,
  })),
  {
    name: 'a folder is moved beyond the longest path',
    before: '',
    command: `perl -e 'my $d = "x" x 200; open my $root, "<", "."; for (1..30) { mkdir $d; chdir $d } open my $to, "<", "."; syscall(264, fileno $root, "sub", fileno $to, "sub")'; ${evilTasks}`,
    after: showTasks,
  },
  {
    name: 'a folder is moved all the time',
    before: '',
    command: `mkdir one two; mv sub one/sub; (while :; do mv one/sub two/sub; mv two/sub one/sub; done) & sleep 0.3; ${evilTasks}; sleep 2`,
    after: showTasks,
  },
  {
    name: 'a folder that nobody can read gets it',
    before: '',
    command: `mkdir z; mv sub z/sub; chmod 000 z; ${evilTasks}`,
    after: showTasks,
  },
  {
    name: 'a nested repository is moved away',
    before: nested,
    command: `mv nested node_modules; git init -q nested; ${evilFile('nested/.git/hooks/pre-commit')}; ${evilSettings('nested/.git/config')}`,
    after: `cd nested; ${commit}`,
  },
  {
    name: 'two folders change places',
    before: 'mkdir -p alt/.vscode',
    command: `perl -e 'syscall(316, -100, "sub", -100, "alt", 2)'; perl -e 'syscall(316, -100, "sub/.vscode", -100, "tools", 2)'; echo EVIL > sub/.vscode/x; echo EVIL > alt/.vscode/x`,
    after: 'cat sub/.vscode/x alt/.vscode/x',
  },
  // Git folders at other paths, or through links.
  {
    name: 'the folder of submodules becomes a link',
    before: submodule,
    command: `cp -r .git/modules .git/m2; mv .git/modules .git/m1; ln -s m2 .git/modules; ${evilFile('.git/m2/lib/hooks/pre-commit')}`,
    after: `cd lib; ${commit}`,
  },
  {
    name: 'the folder of a submodule becomes a link',
    before: submodule,
    command: `cp -r .git/modules/lib .git/m2; mv .git/modules/lib .git/m1; ln -s ../m2 .git/modules/lib; ${evilFile('.git/m2/hooks/pre-commit')}`,
    after: `cd lib; ${commit}`,
  },
  {
    name: 'the folder of submodules is made anew',
    before: submodule,
    command: `mv .git/modules .git/m1; mkdir -p .git/modules; cp -r .git/m1/lib .git/modules/lib; ${evilFile('.git/modules/lib/hooks/pre-commit')}`,
    after: `cd lib; ${commit}`,
  },
  {
    name: 'the folder of work trees becomes a link',
    before: tree,
    command: `mkdir e; cp -r .git/. e; mv e .git/e; cp -r .git/worktrees .git/w2; mv .git/worktrees .git/w1; ln -s w2 .git/worktrees; rm .git/w2/tree/commondir; echo ../../e > .git/w2/tree/commondir; ${evilFile('.git/e/hooks/pre-commit')}`,
    after: `cd tree; ${commit}`,
  },
  {
    name: 'a submodule has a long name',
    before:
      'mkdir -p .git/modules/a/b/c/d/e/f/g/h/i/j/k/l; git init -q --separate-git-dir=.git/modules/a/b/c/d/e/f/g/h/i/j/k/l/m deep',
    command: evilFile('.git/modules/a/b/c/d/e/f/g/h/i/j/k/l/m/hooks/pre-commit'),
    after: `cd deep; ${commit}`,
  },
  ...['.git/bare', '.git/objects/bare', 'node_modules/bare'].map((path) => ({
    name: `a repository lies in ${path}`,
    before: '',
    command: `git init -q --bare ${path}; printf '[core]\\nrepositoryformatversion = 0\\nworktree = .\\n' > ${path}/config; ${evilSettings(`${path}/config`)}`,
    after: `cd ${path} && ${status}`,
  })),
  ...[
    ['objects are a link', 'git init -q --bare other; ln -s ../other/objects x/objects'],
    ['references are a link', 'mkdir r x/objects; rmdir x/refs; ln -s ../r x/refs'],
    ['head is a link', 'mkdir x/objects; rm x/HEAD; ln -s refs/heads/main x/HEAD'],
  ].map(([what = '', how = '']) => ({
    name: `a repository whose ${what} lies about`,
    before: '',
    command: `mkdir -p x/refs; echo 'ref: refs/heads/main' > x/HEAD; ${how}; printf '[core]\\nrepositoryformatversion = 0\\nworktree = .\\n' > x/config; ${evilSettings('x/config')}`,
    after: `cd x && ${status}`,
  })),
  {
    name: 'a folder of git has a folder of its own',
    before: nested,
    command: `mkdir -p a/b/.git/hooks a/b/.git/objects a/b/.git/refs; echo 'ref: refs/heads/main' > a/b/.git/HEAD; ${evilFile('a/b/.git/hooks/pre-commit')}`,
    after: `cd a/b; ${commit}`,
  },
  {
    name: 'the folder of git is a separate one',
    before: 'git init -q --separate-git-dir=gd sep',
    command: `${evilFile('gd/hooks/pre-commit')}; ${evilSettings('gd/config')}`,
    after: `cd sep; ${commit}`,
  },
  {
    name: 'a work tree is made by hand',
    before: '',
    command: `mkdir -p e w/x .git/worktrees/w; cp -r .git/. e; ${evilSettings('e/config')}; echo 'ref: refs/heads/main' > .git/worktrees/w/HEAD; echo ../../../e > .git/worktrees/w/commondir; echo "$PWD/w/.git" > .git/worktrees/w/gitdir; echo "gitdir: $PWD/.git/worktrees/w" > w/.git`,
    after: `cd w && ${status}`,
  },
  // Files that settings refer to.
  ...[
    ['is not there yet', 'build/hooks', ''],
    ['has a folder above it', 'build/hooks', 'mkdir -p build/hooks; touch build/x'],
    ['is a link', 'link', 'mkdir -p build/hooks; ln -s build/hooks link'],
    ['has a link above it', 'link/hooks', 'mkdir -p build/hooks; ln -s build link'],
    ['goes up and down', './tools/../build/hooks', ''],
  ].map(([what = '', path = '', make = '']) => ({
    name: `the folder of hooks of the settings ${what}`,
    before: `git config core.hooksPath ${path}; ${make}`,
    command: `mv build old; rm -f link; mkdir -p build/hooks; ${evilFile('build/hooks/pre-commit')}; mkdir -p link/hooks; ${evilFile('link/pre-commit')}; ${evilFile('link/hooks/pre-commit')}`,
    after: commit,
  })),
  {
    name: 'the folder of hooks is written with a line that goes on',
    before: `printf '[core]\\n hooksPath = to\\\\\\nols/hooks\\n' >> .git/config; mkdir tools/hooks`,
    command: evilFile('tools/hooks/pre-commit'),
    after: commit,
  },
  {
    name: 'the folder of hooks is that of each work tree',
    before: `${tree}; mkdir -p tools/hooks tree/tools/hooks; git config core.hooksPath tools/hooks`,
    command: evilFile('tree/tools/hooks/pre-commit'),
    after: `cd tree; ${commit}`,
  },
  {
    name: 'the folder of hooks is that of a submodule',
    before: `${submodule}; git -C lib config core.hooksPath hk; mkdir lib/hk`,
    command: evilFile('lib/hk/pre-commit'),
    after: `cd lib; ${commit}`,
  },
  {
    name: 'the folder of hooks is that of a separate folder of git',
    before:
      'git init -q --separate-git-dir=gd sep; git -C sep config core.hooksPath hk; mkdir sep/hk',
    command: evilFile('sep/hk/pre-commit'),
    after: `cd sep; ${commit}`,
  },
  {
    name: 'the folder of hooks is one of this work tree alone',
    before:
      'git config extensions.worktreeConfig true; git config --worktree core.hooksPath hk; mkdir hk',
    command: evilFile('hk/pre-commit'),
    after: commit,
  },
  {
    name: 'included settings are not there yet',
    before: 'git config include.path ../more',
    command: evilSettings('more'),
    after: status,
  },
  {
    name: 'included settings include others',
    before: `git config include.path ../one; printf '[include]\\n path = two\\n' > one; touch two`,
    command: evilSettings('two'),
    after: status,
  },
  {
    name: 'settings are included for a branch',
    before: 'git config includeIf.onbranch:main.path ../one; touch one',
    command: evilSettings('one'),
    after: status,
  },
  {
    name: 'settings name a program of the workspace',
    before: `git config core.fsmonitor tools/run; git config alias.go '!tools/run'; ${harmlessFile('tools/run')}`,
    command: `mv tools old; mkdir tools; ${evilFile('tools/run')}`,
    after: `git go; ${status}`,
  },
  {
    name: 'settings name a filter of the workspace',
    before: `git config filter.x.clean 'tools/run %f'; ${harmlessFile('tools/run')}`,
    command: `${evilFile('tools/run')}; echo '* filter=x' > .git/info/attributes`,
    after: 'echo z >> a.txt; git add a.txt; cat EVIL',
  },
  // Targets of links.
  {
    name: 'the folder above a target is replaced',
    before: 'mkdir -p cfg/vs; ln -s cfg/vs .vscode',
    command: 'mv cfg old; mkdir -p cfg/vs; echo EVIL > cfg/vs/tasks.json',
    after: 'cat .vscode/tasks.json',
  },
  {
    name: 'a target is not there yet',
    before: 'ln -s cfg/vs .vscode; ln -s cfg/env .envrc',
    command: 'mkdir -p cfg/vs; echo EVIL > cfg/vs/tasks.json; echo EVIL > cfg/env',
    after: 'cat .vscode/tasks.json .envrc',
  },
  {
    name: 'a link leads to a link',
    before: 'mkdir -p real/vs; ln -s real mid; ln -s mid/vs .vscode',
    command:
      'rm mid; mkdir -p mid/vs; echo EVIL > mid/vs/tasks.json; echo EVIL > real/vs/tasks.json',
    after: 'cat .vscode/tasks.json',
  },
  ...[
    ['', harmlessFile('tools/hook')],
    [' that is not there yet', 'true'],
  ].map(([what = '', make = '']) => ({
    name: `a hook is a link to a file of the workspace${what}`,
    before: `${make}; ln -s ../../tools/hook .git/hooks/pre-commit`,
    command: `${evilFile('tools/hook')}; mv tools old; mkdir tools; ${evilFile('tools/hook')}`,
    after: commit,
  })),
  {
    name: 'a file of an editor is a link',
    before: 'mkdir cfg .vscode; echo > cfg/s.json; ln -s ../cfg/s.json .vscode/settings.json',
    command: 'echo EVIL > cfg/s.json',
    after: 'cat .vscode/settings.json',
  },
  {
    name: 'a folder of hooks holds a link',
    before: 'mkdir .husky; ln -s ../tools .husky/_; git config core.hooksPath .husky/_',
    command: evilFile('tools/pre-commit'),
    after: commit,
  },
  // Paths and names.
  {
    name: 'it lies among installed packages',
    before: '',
    command: `mkdir -p node_modules/x/.vscode; cd node_modules/x; echo EVIL > .envrc; echo EVIL > .vscode/tasks.json; git init -q; ${evilFile('.git/hooks/pre-commit')}`,
    after: `cd node_modules/x; cat .envrc .vscode/tasks.json; ${commit}`,
  },
  {
    name: 'it lay among installed packages before',
    before: 'mkdir -p node_modules/x/.vscode; echo > node_modules/x/.envrc',
    command: 'cd node_modules/x; echo EVIL > .envrc; echo EVIL > .vscode/tasks.json',
    after: 'cat node_modules/x/.envrc node_modules/x/.vscode/tasks.json',
  },
  {
    name: 'it lies where the objects of a repository would',
    before: '',
    command:
      'mkdir -p p/objects/.vscode p/refs; touch p/HEAD; echo EVIL | tee p/objects/.envrc p/objects/.vscode/tasks.json .git/objects/.envrc .git/.envrc',
    after: 'cat p/objects/.envrc p/objects/.vscode/tasks.json .git/objects/.envrc .git/.envrc',
  },
  {
    name: 'a folder cannot be read or written',
    before: '',
    command:
      'mkdir q r; echo EVIL | tee q/.envrc r/.envrc .envrc; chmod 311 q; chmod 555 r; chmod 311 .',
    after: 'cat q/.envrc r/.envrc .envrc',
  },
  {
    name: 'other systems of versions have settings',
    before: 'mkdir .hg; touch .hg/hgrc',
    command: 'echo EVIL > .hg/hgrc; mkdir -p x/.hg; echo EVIL > x/.hg/hgrc',
    after: 'cat .hg/hgrc x/.hg/hgrc',
  },
  {
    name: 'the repository of Jujutsu has settings, or lies elsewhere',
    before: 'mkdir -p .jj/repo w/.jj; touch .jj/repo/config.toml; echo ../../.jj/repo > w/.jj/repo',
    command:
      'echo EVIL > .jj/repo/config.toml; mkdir -p x/.jj/repo e v/.jj; echo EVIL > x/.jj/repo/config.toml; echo EVIL > e/config.toml; echo ../../e > w/.jj/repo; echo EVIL > v/.jj/repo',
    after:
      'cat .jj/repo/config.toml x/.jj/repo/config.toml v/.jj/repo; cd w/.jj && cat "$(cat repo)/config.toml"',
  },
  {
    name: 'what manages hooks has settings',
    before: 'touch .pre-commit-config.yaml',
    command:
      'for f in .pre-commit-config.yaml lefthook.yml .lefthook.yaml .overcommit.yml tools/lefthook-local.yml; do echo EVIL > $f; done; mkdir .lefthook .husky; echo EVIL > .lefthook/x; echo EVIL > .husky/pre-commit',
    after:
      'cat .pre-commit-config.yaml lefthook.yml .lefthook.yaml .overcommit.yml tools/lefthook-local.yml .lefthook/x .husky/pre-commit',
  },
  {
    name: 'programs that build and that start others have settings',
    before: 'mkdir -p .mvn .docker .kube .aws .local/share',
    command:
      'for f in .bazelrc bunfig.toml .pnpmfile.mjs mise.toml .mise.local.toml .rvmrc .mvn/extensions.xml .mvn/jvm.config .docker/config.json .kube/config .aws/config .psqlrc .sqliterc .vim/x .local/share/applications/x .config/tmux/tmux.conf .sl/config .pijul/config; do mkdir -p "$(dirname $f)"; echo EVIL > $f; done',
    after:
      'cat .bazelrc bunfig.toml .pnpmfile.mjs mise.toml .mise.local.toml .rvmrc .mvn/extensions.xml .mvn/jvm.config .docker/config.json .kube/config .aws/config .psqlrc .sqliterc .vim/x .local/share/applications/x .config/tmux/tmux.conf .sl/config .pijul/config',
  },
  {
    name: 'further programs read a file by themselves',
    before: 'mkdir -p .config .gradle',
    command:
      'for f in .direnvrc .pdbrc .ghci .xonshrc .emacs .selected_editor .ripgreprc A.Code-Workspace .iex.exs .erlang .gradle/init.gradle .config/starship.toml; do echo EVIL > $f; done',
    after:
      'cat .direnvrc .pdbrc .ghci .xonshrc .emacs .selected_editor .ripgreprc A.Code-Workspace .iex.exs .erlang .gradle/init.gradle .config/starship.toml',
  },
  {
    name: 'it is no file',
    before: '',
    command: 'mkfifo .envrc; mknod .vscode p; ln -s /dev/stdin .mcp.json2',
    after: 'test -e .envrc && echo EVIL; test -e .vscode && echo EVIL',
  },
  {
    name: 'archives lead through links',
    before: '',
    command:
      'mkdir x y; ln -s .. x/up; echo EVIL > y/.envrc; tar cf t.tar -C y .envrc; tar xf t.tar -C x/up; git apply <<< "$(printf "diff --git a/n/.envrc b/n/.envrc\\nnew file mode 100644\\n--- /dev/null\\n+++ b/n/.envrc\\n@@ -0,0 +1 @@\\n+EVIL\\n")"',
    after: 'cat .envrc n/.envrc y/.envrc',
  },
  {
    name: 'git keeps it for later and brings it back',
    before: '',
    command: 'mkdir w; echo EVIL > w/.envrc; git add -f w; git stash -q; git stash pop -q',
    after: 'cat w/.envrc',
  },
  {
    name: 'programs of every day write it',
    before: '',
    command: `awk 'BEGIN { print "EVIL" > ".envrc" }'; perl -e 'open F, ">", ".zshenv"; print F "EVIL"'; sort -o .npmrc <(echo EVIL); tee .bashrc <<< EVIL; split -b 10 --filter='cat > .profile' <(echo EVIL)`,
    after: 'cat .envrc .zshenv .npmrc .bashrc .profile',
  },
  {
    name: 'the user of git has settings in the workspace',
    before: '',
    command:
      'HOME=$PWD git config --global core.pager EVIL; XDG_CONFIG_HOME=$PWD/.config git config --file .config/git/config x.y EVIL; git config --file .git/config core.pager EVIL; GIT_DIR=.git git config core.pager EVIL',
    after: 'cat .gitconfig .config/git/config .git/config',
  },
  {
    name: 'an existing file changes in other ways',
    before: '',
    command:
      'cp -f a.txt .mcp.json; cp --remove-destination a.txt .mcp.json; ln -f a.txt .mcp.json; dd if=a.txt of=.git/config conv=notrunc; cp -f a.txt .git/config; echo EVIL > a.txt; touch -d 2000-01-01 .mcp.json; chmod 700 .mcp.json',
    after:
      'cat .mcp.json; test -s .mcp.json || echo EVIL; git config core.bare || echo EVIL; [ "$(stat -c %Y .mcp.json)" -gt 1000000000 ] || echo EVIL; test -x .mcp.json && echo EVIL',
  },
  {
    name: 'it comes late, from a session of its own without an environment',
    before: '',
    command:
      "(setsid env -i /bin/sh -c 'while :; do echo EVIL > .envrc; echo EVIL > tools/.envrc; done' > /dev/null 2>&1 &); sleep 0.5",
    after: 'sleep 0.2; cat .envrc tools/.envrc',
  },
];
