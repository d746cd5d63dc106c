import { dangerousOptions } from './option-table.ts';
import { interpreterOf } from './interpreters.ts';
import { programName } from './program-name.ts';
import { readers } from './reader-commands.ts';
import type { Word } from './segment.ts';
import { shells, wrapperOf } from './wrappers.ts';

/** Programs that run none of their words, whatever these are. */
const leaves = new Set(
  `: [ [[ ]] true false test echo printf cat tac nl head tail less more wc cut paste join comm tr rev fold fmt
  expand unexpand column col colrm pr od xxd hexdump strings sort uniq shuf seq yes factor expr bc numfmt
  ls ll dir vdir tree du df stat file pwd cd pushd popd dirs basename dirname realpath readlink mktemp mkdir
  touch cp mv ln install mkfifo truncate split csplit tee sync chmod chown chgrp umask getfacl setfacl chattr
  lsattr grep egrep fgrep rg ag ack zgrep zcat zless bzcat xzcat gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd
  lz4 unzip zipinfo zip tar bsdtar cpio pax ar diff diff3 cmp sdiff colordiff wdiff md5sum sha1sum sha224sum
  sha256sum sha384sum sha512sum b2sum cksum sum base64 base32 basenc uuidgen uuencode uudecode iconv dos2unix
  unix2dos locale localedef date cal ncal sleep uname arch hostname hostid whoami id groups who w users
  last lastlog finger getent logname tty stty tput clear reset locate mlocate updatedb which whereis type hash
  help info apropos whatis ps pstree top htop pgrep pidof pmap lsof fuser uptime free vmstat iostat mpstat
  sar dmesg lscpu lsblk lspci lsusb lsmod nproc getconf ulimit printenv set unset export declare typeset
  local readonly read mapfile readarray shift return exit break continue wait jobs fg bg disown let getopts
  times caller logout alias unalias shopt history complete compgen compopt bind enable suspend jq yq xmllint
  xmlstarlet csvcut csvgrep csvlook tidy pandoc cloc tokei scc wget curl ping ping6 traceroute tracepath dig
  nslookup host whois netstat ss ip ifconfig route arp nc ncat netcat telnet ftp git hg svn jj sed gsed awk gawk
  mawk nawk find fd fdfind md5 shasum sips pbcopy pbpaste xclip xsel wl-copy wl-paste notify-send say
  ffprobe identify exiftool pdftotext pdfinfo qpdf tesseract espeak tsc eslint prettier jest vitest mocha ava tap
  tsup rollup esbuild webpack vite next nuxt svelte-kit oxlint biome stylelint rustc rustfmt gofmt gcc g++ cc c++
  clang clang++ ld as nm objdump objcopy readelf strip size ldd ranlib javac jar javap kotlinc scalac ruff
  black isort flake8 mypy pyright pylint pip pip3 brew apt apt-get apt-cache dpkg dpkg-query rpm dnf yum pacman
  apk snap flatpak systemctl journalctl loginctl hostnamectl timedatectl localectl crontab kill pkill
  killall rm rmdir unlink shred dd mkfs mount umount fdisk parted blkid findmnt losetup swapon swapoff sysctl
  modprobe insmod rmmod useradd usermod userdel groupadd passwd chsh chfn openssl ssh-keygen ssh-add
  ssh-copy-id ssh-keyscan aws gcloud az gh glab heroku vercel netlify doctl terraform helm patch dircolors
  pathchk tsort ptx look calendar units ascii figlet cowsay fortune neofetch screenfetch lsb_release npm pnpm yarn
  cargo go make cmake psql mysql mariadb sqlite3 redis-cli mongosh ls-files vi vim nvim nano emacs emacsclient
  basename mkswap wipefs reboot shutdown halt poweroff`
    .split(/\s+/)
    .filter(Boolean),
);

/** Programs whose words name a program to run in a way that is not written down here. */
const runners = new Set(
  'npx bunx pnpx uvx pipx docker podman kubectl nerdctl buildah lxc vagrant poetry pipenv conda mamba rustup'.split(
    ' ',
  ),
);

/** Sub-commands of package managers that run what they name. */
const runsPackage = /^(?:exec|x|dlx|explore|tool|npx)$/;
const packageManagers = new Set([
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'uv',
  'cargo',
  'pdm',
  'hatch',
  'deno',
]);

const named: ReadonlySet<string> = new Set([...leaves, ...shells, ...Object.keys(readers)]);

/** Whether it is written down here what a program does with its words. */
export function isKnownCommand(argv: readonly Word[]): boolean {
  const [program, ...words] = argv;
  if (program === undefined) return true;
  const name = programName(program.value);
  if (runners.has(name)) return false;
  const subcommand = words.find(({ value }) => !value.startsWith('-'))?.value ?? '';
  if (packageManagers.has(name) && runsPackage.test(subcommand)) return false;
  return (
    named.has(name) ||
    name.startsWith('git-') ||
    interpreterOf(name) !== undefined ||
    wrapperOf(name) !== undefined ||
    Object.hasOwn(dangerousOptions, name)
  );
}
