/**
 * Sub-commands of git itself. They run nothing beyond the rules in `git-command.ts` and the option
 * table.
 */
const subcommands = new Set(
  `add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore
  check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit
  commit-graph commit-tree config count-objects describe diagnose diff diff-files diff-index diff-tree difftool
  fast-export fetch filter-branch fmt-merge-msg for-each-ref format-patch fsck gc get-tar-commit-id grep
  hash-object help http-push index-pack init interpret-trailers lfs log ls-files ls-remote ls-tree mailinfo mailsplit
  merge merge-base merge-file merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes
  p4 pack-objects pack-refs patch-id prune prune-packed pull push range-diff read-tree rebase reflog remote
  repack replace request-pull rerere reset restore rev-list rev-parse revert rm send-pack shortlog show
  show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule subtree svn
  switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info var
  cvsexportcommit verify-commit verify-pack verify-tag version whatchanged worktree write-tree`
    .split(/\s+/)
    .filter(Boolean),
);

/** Any other sub-command is an alias, or a `git-…` program of unknown origin. */
export function isGitSubcommand(subcommand: string): boolean {
  return subcommands.has(subcommand);
}

/** Settings whose value names neither a program nor a file that names one. */
const harmless =
  /^(?:user\.(?:name|email)|author\.\w+|committer\.\w+|color\.[\w.-]+|advice\.\w+|log\.\w+|status\.\w+|format\.pretty|core\.(?:quotepath|abbrev|autocrlf|eol|safecrlf|filemode|ignorecase|symlinks|compression|preloadindex|longpaths|bare|logallrefupdates|precomposeunicode|protecthfs|protectntfs|whitespace|excludesfile)|init\.defaultbranch|diff\.(?:renames|algorithm|renamelimit|colormoved|context|mnemonicprefix|noprefix|submodule|wserrorhighlight)|merge\.(?:conflictstyle|ff|renames|stat|log)|pull\.(?:rebase|ff)|push\.(?:default|followtags|autosetupremote)|fetch\.(?:prune|parallel|prunetags)|rebase\.(?:autosquash|autostash|updaterefs)|branch\.[\w./-]+|commit\.(?:gpgsign|verbose|status|cleanup)|tag\.(?:gpgsign|sort)|gc\.auto|safe\.directory|protocol\.version|http\.(?:sslverify|postbuffer|lowspeedlimit|lowspeedtime|version|extraheader|proxy|useragent)|submodule\.(?:recurse|fetchjobs)|transfer\.\w+|pack\.\w+|index\.\w+|feature\.\w+|blame\.\w+|grep\.\w+|stash\.\w+|help\.autocorrect|column\.\w+|versionsort\.\w+)$/i;

/** Returns true if the setting cannot make git run another program. */
export function isHarmlessSetting(name: string, value: string): boolean {
  if (/^(?:true|false|yes|no|on|off|\d+|)$/i.test(value)) return !/^alias\./i.test(name);
  return harmless.test(name) && !value.startsWith('!');
}
