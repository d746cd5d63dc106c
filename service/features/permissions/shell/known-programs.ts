import { programName } from './program-name.ts';
import { readers } from './reader-commands.ts';
import type { Word } from './segment.ts';
import { shells, wrapperOf } from './wrappers.ts';

/** Programs that treat their words as names and data and never run them. */
const data = new Set(
  `: [ [[ ]] true false test echo printf cat tac nl head tail wc cut paste join comm tr rev fold fmt
  expand unexpand column col colrm pr od xxd hexdump strings sort uniq shuf seq yes factor expr bc
  numfmt ls ll dir vdir tree du df stat file pwd cd pushd popd dirs basename dirname realpath readlink
  mktemp mkdir touch cp mv ln install mkfifo truncate tee sync chmod chown chgrp umask getfacl setfacl
  chattr lsattr grep egrep fgrep zgrep zcat zless bzcat xzcat gzip gunzip bzip2 bunzip2 xz unxz zstd
  unzstd lz4 unzip zipinfo diff cmp md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum
  sum base64 base32 basenc uuidgen uuencode uudecode dos2unix unix2dos locale localedef date cal ncal
  sleep uname arch hostname hostid whoami id groups who w users last lastlog finger getent logname tty
  stty tput clear reset locate mlocate updatedb which whereis type hash whatis ps pstree pidof pmap
  lsof uptime free vmstat iostat mpstat sar dmesg lscpu lsblk lspci lsusb lsmod nproc getconf ulimit
  printenv set unset export declare typeset local readonly read mapfile readarray shift return exit
  break continue wait jobs fg bg disown let getopts times caller logout alias unalias shopt history
  complete compgen compopt bind enable suspend jq csvcut csvgrep csvlook ping ping6 traceroute
  tracepath dig nslookup whois netstat ss ip ifconfig route arp md5 shasum sips pbcopy pbpaste xclip
  xsel wl-copy wl-paste notify-send say ffprobe pdftotext pdfinfo qpdf tsc oxlint biome
  stylelint rustfmt gofmt objcopy readelf strip size ldd javap ruff black isort flake8 mypy pyright
  pylint apt-cache dpkg-query kill pkill killall rm rmdir
  unlink shred dd mkfs fdisk parted blkid findmnt losetup swapon swapoff sysctl modprobe insmod rmmod
  useradd usermod userdel groupadd passwd chsh chfn dircolors pathchk tsort ptx look calendar units
  ascii figlet cowsay fortune neofetch screenfetch lsb_release mkswap wipefs reboot shutdown halt
  poweroff`
    .split(/\s+/)
    .filter(Boolean),
);

/**
 * Programs with rules of their own in this folder, or whose words name packages, patterns and
 * pages.
 */
const listed = new Set(
  `man hg svn jj git npm pnpm yarn cargo go brew pip pip3 apt apt-get apt-cache dpkg rpm dnf yum pacman apk
  snap less more curl wget tar zip yq rg find fd fdfind sed gsed awk gawk mawk nawk help apropos info
  pgrep systemctl journalctl make cmake psql mysql mariadb sqlite3 tidy xmllint nm objdump top htop
  umount mount iconv ag ack patch`
    .split(/\s+/)
    .filter(Boolean),
);

/** Programs whose words name a program to run in a way that the tables do not describe. */
const runners = new Set(
  'npx bunx pnpx uvx pipx docker podman kubectl nerdctl buildah lxc vagrant poetry pipenv conda mamba rustup'.split(
    ' ',
  ),
);

/** Sub-commands of package managers that run the package they name. */
const runsPackage = /^(?:exec|x|dlx|explore|tool|npx)$/;
/** Sub-commands that are neither project scripts nor other programs. */
const ownSubcommand =
  /^(?:|i|install|ci|add|remove|rm|uninstall|un|r|update|upgrade|up|outdated|audit|list|ls|why|view|info|show|search|init|create|run|run-script|test|t|start|stop|build|check|clippy|fmt|doc|bench|publish|login|logout|link|unlink|pack|config|get|set|cache|prune|dedupe|import|fund|version|help|workspace|workspaces|sync|lock|pip|tree|metadata|fetch|vendor|clean|new|fix|package|lint|task|compile|cov|whoami|dist-tag|owner|team|rebuild|restart|pkg|query|licenses|store|patch|approve-builds|env|self|venv|python|export|deploy|setup|bin|root|prefix|docs|repo|bugs|ping|token|doctor|explain|diff|edit|access|hook|org|profile|sbom|star|stars|shrinkwrap|completion|generate-lockfile|locate-project|verify-project|yank|report|rustc|rustdoc|read-manifest|remote|pkgid|logout)$/;
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

const named: ReadonlySet<string> = new Set([
  ...data,
  ...listed,
  ...shells,
  ...Object.keys(readers),
]);

/** Returns true if no word of the program says what it runs. */
export const takesData = (name: string): boolean => data.has(name) || ownLanguage.has(name);

/** Programs whose words are patterns, messages and code that is parsed elsewhere. */
const ownLanguage = new Set(
  'git rg find fd fdfind sed gsed awk gawk mawk nawk curl wget make tar'.split(' '),
);

/** Returns true if the tables say what the program does with its words. */
export function isKnownCommand(argv: readonly Word[]): boolean {
  const [program, ...words] = argv;
  if (program === undefined) return true;
  const name = programName(program.value);
  if (runners.has(name)) return false;
  const subcommand = words.find(({ value }) => !value.startsWith('-'))?.value ?? '';
  if (
    packageManagers.has(name) &&
    !(ownSubcommand.test(subcommand) && !runsPackage.test(subcommand))
  )
    return false;
  return named.has(name) || name.startsWith('git-') || wrapperOf(name) !== undefined;
}
