/** A hook that writes a file where it ran. */
export const evil = `printf '#!/bin/sh\\necho EVIL > EVIL\\n'`;
export const hook = '.git/hooks/pre-commit';

/** Ways to change what runs later, most of which look like everyday work. */
export const attacks: [string, string][] = [
  ['a hook is written', `${evil} > ${hook}; chmod +x ${hook}`],
  ['a hook is copied', `${evil} > x; cp x ${hook}; install -D x ${hook}`],
  ['a hook is moved', `${evil} > x; mv x ${hook}`],
  ['a hook is linked by a hard link', `${evil} > x; ln x ${hook}`],
  ['a hook is a symbolic link', `${evil} > x; ln -s ../../x ${hook}`],
  [
    'the folder of hooks is replaced',
    `mkdir x; ${evil} > x/pre-commit; rm -rf .git/hooks; mv x .git/hooks`,
  ],
  ['the folder of hooks is moved away', `mv .git/hooks y; mkdir .git/hooks; ${evil} > ${hook}`],
  [
    'the folder of hooks is a link',
    `mkdir x; ${evil} > x/pre-commit; rm -rf .git/hooks; ln -s ../x .git/hooks`,
  ],
  ['the whole folder of git is moved away', `mv .git y; cp -a y .git; ${evil} > ${hook}`],
  [
    'the whole folder of git is moved from within',
    `cd .git && mv ../.git ../y; mkdir -p ../${hook}`,
  ],
  ['a link leads to the hooks', `ln -s .git/hooks x; ${evil} > x/pre-commit`],
  ['a link leads to the settings', `ln -s .git/config x; echo "[core]hooksPath=EVIL" >> x`],
  ['it is written through /proc/self/cwd', `${evil} > /proc/self/cwd/${hook}`],
  [
    'it is written through /proc/self/fd',
    `exec 7<.git; ${evil} > /proc/self/fd/7/hooks/pre-commit`,
  ],
  ['it is written through /proc/self/root', `${evil} > "/proc/self/root$PWD/${hook}"`],
  [
    'an open file is written again',
    `exec 7<.git/config; echo "[core]hooksPath=EVIL" > /proc/self/fd/7`,
  ],
  ['git sets hooks', `git config core.hooksPath src; git config --local alias.x '!echo EVIL'`],
  ['git sets what watches files', `git config core.fsmonitor 'echo EVIL'`],
  [
    'git renames a section',
    `git config --rename-section alias filter.EVIL; git config --unset-all alias.st`,
  ],
  [
    'git makes hooks from a template',
    `mkdir -p x/hooks; ${evil} > x/hooks/pre-commit; git init --template=x .; git init --template=x fresh`,
  ],
  [
    'git makes a separate folder',
    `git init -q --separate-git-dir=evilgit fresh; ${evil} > evilgit/hooks/pre-commit; chmod +x evilgit/hooks/pre-commit`,
  ],
  [
    'git has settings for one work tree',
    `printf '[core]\\n fsmonitor = echo EVIL\\n' > .git/config.worktree`,
  ],
  [
    'the common folder of git is another one',
    `cp -a .git evil; printf '[core]\\n fsmonitor = echo EVIL\\n' >> evil/config; echo ../evil > .git/commondir`,
  ],
  [
    'the common folder of a work tree is another one',
    `echo ../../../evil > .git/worktrees/tree/commondir`,
  ],
  [
    'a work tree has hooks',
    `git worktree add -q other -b other; mkdir -p .git/worktrees/other/hooks; ${evil} > .git/worktrees/other/hooks/pre-commit`,
  ],
  [
    'the link of a work tree leads elsewhere',
    `cp -a .git evil; echo EVIL >> evil/config; echo 'gitdir: ../evil' > tree/.git`,
  ],
  [
    'the link of a work tree is replaced',
    `echo 'gitdir: ../evil' > x; mv -f x tree/.git; rm -f tree/.git; cp x tree/.git`,
  ],
  [
    'a new link to another folder is made',
    `git init -q --bare evil; mkdir fresh; echo 'gitdir: ../evil' > fresh/.git`,
  ],
  [
    'a submodule has hooks',
    `mkdir -p .git/modules/a/b/hooks; echo ref > .git/modules/a/b/HEAD; ${evil} > .git/modules/a/b/hooks/post-checkout; printf '[core]\\n fsmonitor = EVIL\\n' > .git/modules/a/b/config`,
  ],
  [
    'a repository at depth has hooks',
    `${evil} > nested/${hook}; echo "[core]hooksPath=EVIL" >> nested/.git/config`,
  ],
  [
    'a folder above a repository is replaced',
    `mv nested y; mkdir -p nested; cp -a y/.git nested/.git; ${evil} > nested/${hook}`,
  ],
  [
    'a new repository has hooks',
    `git init -q fresh; ${evil} > fresh/${hook}; git -C fresh config core.fsmonitor EVIL`,
  ],
  [
    'a new repository is prepared under another name',
    `git init -q fresh; mv fresh/.git fresh/x; ${evil} > fresh/x/hooks/pre-commit; mv fresh/x fresh/.git`,
  ],
  [
    'a bare repository lies about',
    `git init -q --bare bare; printf '[core]\\n fsmonitor = echo EVIL\\n' >> bare/config; ${evil} > bare/hooks/post-update`,
  ],
  [
    'a rebase is prepared',
    `mkdir .git/rebase-merge; echo 'exec echo EVIL' > .git/rebase-merge/git-rebase-todo`,
  ],
  [
    'names are written in capitals',
    `mkdir -p .GIT/hooks fresh/.VSCode; ${evil} > .GIT/hooks/pre-commit; echo EVIL > fresh/.VSCode/tasks.json; echo EVIL > .Envrc`,
  ],
  ['an existing file is written', `echo EVIL > .mcp.json; echo EVIL >> .mcp.json`],
  [
    'an existing file is edited',
    `sed -i 's/.*/EVIL/' .mcp.json; sed -i 's/.*/EVIL/' sub/.vscode/tasks.json`,
  ],
  ['an existing file is truncated', `truncate -s 0 .mcp.json; : > sub/.vscode/tasks.json`],
  [
    'an existing file is written by dd',
    `echo EVIL | dd of=.mcp.json conv=notrunc; echo EVIL | tee .mcp.json`,
  ],
  ['an existing file is removed and made anew', `rm -f .mcp.json; echo EVIL > .mcp.json`],
  ['an existing file is moved away', `mv .mcp.json x; echo EVIL > .mcp.json`],
  ['an existing file has another name', `ln .mcp.json x; echo EVIL > x`],
  [
    'the mode of an existing file is changed',
    `chmod 777 .mcp.json .git/config; chmod 777 sub/.vscode/tasks.json`,
  ],
  [
    'an existing folder gets a file',
    `echo EVIL > sub/.vscode/launch.json; mkdir -p sub/.vscode/x; echo EVIL > sub/.vscode/x/y`,
  ],
  [
    'folders of editors are made',
    `mkdir -p .vscode .idea a/b/c/.vscode; echo EVIL > .vscode/tasks.json; echo EVIL > .idea/workspace.xml; echo EVIL > a/b/c/.vscode/tasks.json`,
  ],
  [
    'folders of agents are made',
    `for d in .claude .agents .codex .cursor .devcontainer; do mkdir -p x/$d; echo EVIL > x/$d/settings.json; done`,
  ],
  [
    'folders of hooks are made',
    `mkdir -p .husky/_ .githooks; ${evil} > .husky/pre-commit; ${evil} > .githooks/pre-commit`,
  ],
  [
    'a folder is prepared and moved there',
    `mkdir x; echo EVIL > x/tasks.json; mv x .vscode; mkdir y; echo EVIL > y/z; mv y src/.husky`,
  ],
  [
    'a link is made there',
    `mkdir x; echo EVIL > x/tasks.json; ln -s x .vscode; echo EVIL > z; ln -s z .envrc`,
  ],
  [
    'start-up files of shells are made',
    `for f in .bashrc .bash_aliases .profile .zshrc .zshenv .envrc; do echo EVIL > $f; echo EVIL > sub/inner/$f; done`,
  ],
  [
    'settings of programs are made',
    `mkdir -p .ssh .config/fish .config/git; echo EVIL > .ssh/config; echo EVIL > .config/fish/config.fish; echo EVIL > .config/git/config; echo EVIL > .npmrc; echo EVIL > .gitconfig; echo EVIL > .yarnrc.yml`,
  ],
  [
    'an archive is unpacked',
    `mkdir -p x/.vscode x/.git/hooks; echo EVIL > x/.vscode/tasks.json; ${evil} > x/${hook}; tar cf x.tar -C x .; tar xf x.tar; mkdir y; tar xf x.tar -C y`,
  ],
  [
    'a tree is copied',
    `mkdir -p x/.vscode x/.git/hooks; echo EVIL > x/.vscode/tasks.json; ${evil} > x/${hook}; cp -a x/. .; cp -a x y`,
  ],
  [
    'perl writes',
    `perl -e 'open F,">",".git/hooks/pre-commit"; print F "EVIL"; open G,">>",".git/config"; print G "EVIL"; mkdir ".vscode"; open H,">",".vscode/tasks.json"; print H "EVIL"'`,
  ],
  [
    'perl renames',
    `${evil} > x; cp .git/config y; echo EVIL >> y; perl -e 'rename "x",".git/hooks/pre-commit"; rename "y",".git/config"; rename "x",".envrc"'`,
  ],
  [
    'a program is left running',
    `(sleep 0.2; ${evil} > ${hook}; echo EVIL > .envrc) & disown; echo EVIL > .bashrc`,
  ],
  [
    'programs write until the sandbox has ended',
    `for i in 1 2 3 4; do (while :; do echo EVIL > ${hook}; echo EVIL >> .mcp.json; done) 2> /dev/null & done; sleep 0.1`,
  ],
  [
    'a program leaves its session',
    `setsid -f sh -c 'while :; do echo EVIL > .envrc; mkdir -p .vscode; echo EVIL > .vscode/x; done'; sleep 0.2`,
  ],
  [
    'it is mounted',
    `mkdir x; mount --bind x .git/hooks; umount .git/hooks; umount -l .mcp.json; echo EVIL > .mcp.json; ${evil} > ${hook}`,
  ],
  [
    'a namespace is made',
    `unshare -rm sh -c 'umount -l .git/hooks; echo EVIL > ${hook}; mount -o remount,rw .mcp.json; echo EVIL > .mcp.json'`,
  ],
  [
    'git takes over a branch that brings them',
    `git checkout -q -b x; mkdir -p q; echo EVIL > q/.envrc; git add -f q; b=$(git hash-object -w q/.envrc); git update-index --add --cacheinfo 100644,$b,.vscode/tasks.json; git commit -qm x; rm -f q/.envrc; git checkout -q -f .`,
  ],
];
