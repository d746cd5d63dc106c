import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A dependency that npm cannot install. */
interface SystemPackage {
  need: string;
  isThere: () => boolean;
  /** Names of packages, separated by spaces. */
  debian: string;
  /** Functions that are missing without it, for the message. */
  without: string;
}

const has = (program: string): boolean =>
  spawnSync(process.platform === 'win32' ? 'where' : 'which', [program], { stdio: 'ignore' })
    .status === 0;

function hasFont(pattern: string): boolean {
  const { status, stdout } = spawnSync('fc-list', [pattern]);
  return status === 0 && stdout.length > 0;
}

const jdk: SystemPackage = {
  need: 'javac (a JDK, 17 or newer)',
  isThere: () => has('javac') && has('java'),
  debian: 'default-jdk-headless',
  without: 'the Java sample plugin is left out',
};

const junit: SystemPackage = {
  need: 'JUnit 5',
  isThere: () => existsSync('/usr/share/java/junit-jupiter-api.jar'),
  debian: 'junit5',
  without: 'the Java tests of an example plugin cannot run',
};

const chromium: SystemPackage = {
  need: 'Chromium',
  isThere: () => existsSync('/usr/bin/chromium') || has('chromium') || has('google-chrome'),
  debian: 'chromium',
  without: 'the page tests cannot run',
};

const display: SystemPackage = {
  need: 'What tests and benches of the screen are made with (Xvfb, openbox, xterm, xev, xclip, scrot)',
  isThere: () =>
    process.platform !== 'linux' ||
    ['Xvfb', 'openbox', 'xterm', 'xev', 'xclip', 'scrot'].every(has),
  debian: 'xvfb openbox xterm x11-utils xclip scrot',
  without: 'the tests of the computer tools cannot run',
};

const chineseFont: SystemPackage = {
  need: 'A font with Chinese letters',
  isThere: () => process.platform !== 'linux' || hasFont(':lang=zh'),
  debian: 'fontconfig fonts-droid-fallback',
  without: 'Chinese pages are drawn and measured with boxes in place of letters',
};

const h2: SystemPackage = {
  need: 'The H2 library',
  isThere: () => existsSync(process.env['HOST_H2_JAR'] || '/usr/share/java/h2.jar'),
  debian: 'libh2-java',
  without: 'the H2 database cannot be chosen',
};

const debianPostgres = '/usr/lib/postgresql';

function hasPostgres(): boolean {
  if (has('postgres') && has('initdb')) return true;
  if (!existsSync(debianPostgres)) return false;
  const versions = readdirSync(debianPostgres);
  return versions.some((version) => existsSync(join(debianPostgres, version, 'bin', 'postgres')));
}

const servers: SystemPackage = {
  need: 'MariaDB or PostgreSQL',
  isThere: () =>
    (has('mariadbd') || existsSync('/usr/sbin/mariadbd')) &&
    has('mariadb-install-db') &&
    hasPostgres(),
  // MariaDB's programs only, without a system service.
  debian: 'mariadb-server-core mariadb-client-core postgresql',
  without: 'the tests with these servers cannot run',
};

const bubblewrap: SystemPackage = {
  need: 'bubblewrap',
  isThere: () => process.platform !== 'linux' || has('bwrap'),
  debian: 'bubblewrap',
  without: 'plugin workers run without a sandbox, and the tests of it cannot run',
};

const git: SystemPackage = {
  need: 'git',
  isThere: () => has('git'),
  debian: 'git',
  without: 'plugins cannot be installed from git repositories, and the tests of it cannot run',
};

const ssh: SystemPackage = {
  need: 'OpenSSH with its server (ssh, sshd)',
  isThere: () =>
    process.platform !== 'linux' || (has('ssh') && (has('sshd') || existsSync('/usr/sbin/sshd'))),
  debian: 'openssh-client openssh-server',
  without: 'the tests that reach a host through a tunnel cannot run',
};

const packaging: SystemPackage = {
  need: 'What packages are made and checked with (dpkg-deb, strip, 7za, lintian, appstreamcli, desktop-file-validate, systemd-analyze, rpm, rpmbuild)',
  isThere: () =>
    [
      ...['dpkg-deb', 'strip', '7za', 'lintian', 'appstreamcli', 'desktop-file-validate'],
      ...['systemd-analyze', 'rpm', 'rpmbuild'],
    ].every(has),
  debian: 'dpkg binutils p7zip-full lintian appstream desktop-file-utils systemd rpm',
  without: 'packages cannot be made, and the tests of them cannot run',
};

export type Missing =
  | 'java'
  | 'junit'
  | 'h2'
  | 'chromium'
  | 'chineseFont'
  | 'display'
  | 'servers'
  | 'sandbox'
  | 'git'
  | 'ssh'
  | 'packaging';

/**
 * Checks the dependencies of starts and builds: for the samples, the databases and the sandbox of
 * workers.
 */
export function prepareStart(): Missing[] {
  return provide({ java: jdk, h2, sandbox: bubblewrap, git });
}

/** Checks the dependencies of packaging. */
export function preparePackages(): Missing[] {
  // On other systems electron-builder brings its own tools.
  return provide(process.platform === 'linux' ? { java: jdk, packaging } : { java: jdk });
}

/** Checks the dependencies of the tests. */
export function prepareTests(): Missing[] {
  const missing = provide({
    java: jdk,
    junit,
    h2,
    chromium,
    chineseFont,
    display,
    servers,
    sandbox: bubblewrap,
    git,
    ssh,
    packaging,
  });
  if (!missing.includes('chromium') && mayInstall() && isDebian()) installLeanChromium();
  return missing;
}

/**
 * Installs Chromium without its window code. Page tests are a third faster with it, and work
 * without it.
 */
function installLeanChromium(): void {
  if (!existsSync('/usr/bin/chromium-headless-shell')) installDebian(['chromium-headless-shell']);
}

const mayInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

const isDebian = (): boolean =>
  existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));

/**
 * Installs missing packages if it may, otherwise prints their names. With CI=true a missing package
 * is an error.
 */
function provide(required: Partial<Record<Missing, SystemPackage>>): Missing[] {
  const missing = (Object.entries(required) as [Missing, SystemPackage][]).filter(
    ([, one]) => !one.isThere(),
  );
  if (missing.length === 0) return [];
  if (mayInstall()) installDebian(missing.map(([, one]) => one.debian));
  const stillMissing = missing.filter(([, one]) => !one.isThere());
  for (const [, one] of stillMissing) {
    process.stderr.write(
      `${one.need} was not found: ${one.without}. Install it (Debian, Ubuntu: apt-get install ${one.debian}).\n`,
    );
  }
  if (stillMissing.length > 0 && process.env['CI'] === 'true') process.exit(1);
  return stillMissing.map(([name]) => name);
}

function installDebian(packages: string[]): void {
  process.stderr.write(`Installing ${packages.join(', ')}\n`);
  const run = (args: string[]): void => {
    spawnSync('apt-get', args, {
      stdio: ['ignore', 2, 2],
      env: {
        ...process.env,
        DEBIAN_FRONTEND: 'noninteractive',
        // Installing a database server must not start a system service.
        RUNLEVEL: '1',
        SYSTEMD_OFFLINE: '1',
      },
    });
  };
  run(['update', '-qq']);
  // One by one: a name that this release does not know fails alone.
  for (const names of packages) {
    run(['install', '-y', '-qq', '--no-install-recommends', ...names.split(' ')]);
  }
}
