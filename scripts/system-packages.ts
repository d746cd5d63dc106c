import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** What npm cannot bring. */
interface SystemPackage {
  need: string;
  isThere: () => boolean;
  debian: string;
  /** What does not work without it. */
  without: string;
}

const has = (program: string): boolean =>
  spawnSync(process.platform === 'win32' ? 'where' : 'which', [program], { stdio: 'ignore' })
    .status === 0;

const jdk: SystemPackage = {
  need: 'javac (a JDK, 17 or newer)',
  isThere: () => has('javac') && has('java'),
  debian: 'default-jdk-headless',
  without: 'the Java sample plugin is left out',
};

const chromium: SystemPackage = {
  need: 'Chromium',
  isThere: () => existsSync('/usr/bin/chromium') || has('chromium') || has('google-chrome'),
  debian: 'chromium',
  without: 'the page tests cannot run',
};

export type Missing = 'java' | 'chromium';

/** Before a start or a build: only what the samples need. */
export function prepareStart(): Missing[] {
  return provide({ java: jdk });
}

/** Before the tests: also what they drive. */
export function prepareTests(): Missing[] {
  return provide({ java: jdk, chromium });
}

/** Installs what is missing where it may; elsewhere names it. With CI=true a missing piece is a failure. */
function provide(wanted: Partial<Record<Missing, SystemPackage>>): Missing[] {
  const missing = (Object.entries(wanted) as [Missing, SystemPackage][]).filter(
    ([, one]) => !one.isThere(),
  );
  if (missing.length === 0) return [];
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'))
    installDebian(missing.map(([, one]) => one.debian));
  const left = missing.filter(([, one]) => !one.isThere());
  for (const [, one] of left) {
    process.stderr.write(
      `${one.need} was not found: ${one.without}. Install it (Debian, Ubuntu: apt-get install ${one.debian}).\n`,
    );
  }
  if (left.length > 0 && process.env['CI'] === 'true') process.exit(1);
  return left.map(([name]) => name);
}

function installDebian(packages: string[]): void {
  process.stderr.write(`Installing ${packages.join(', ')}\n`);
  const run = (args: string[]): void => {
    spawnSync('apt-get', args, {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  };
  run(['update', '-qq']);
  run(['install', '-y', '-qq', '--no-install-recommends', ...packages]);
}
