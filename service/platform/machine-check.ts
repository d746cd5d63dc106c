import { access } from 'node:fs/promises';
import { findBrowser } from './browser/find-browser.ts';
import { findH2Runtime, type H2Paths, h2Version } from './database/h2/h2-runtime.ts';
import { findJava, javaVersionOf } from './find-java.ts';
import { findProgram } from './find-program.ts';
import { type HostText, type Message, msg } from '../messages/index.ts';

/** Something that this machine lacks, as sentences for a person. */
export interface MissingPiece {
  what: HostText;
  /** Consequence. */
  why: Message;
  /** How to get it; a string is a command, which is not translated. */
  fix: HostText;
  /** True if this installation needs it now; false for optional features. */
  needed: boolean;
}

/** The configuration that decides which pieces a machine needs. */
export interface MachineNeeds {
  h2Paths: H2Paths;
  /** True if the configured database is H2. */
  usesH2: boolean;
}

const oldestJava = 17;

interface Piece extends Omit<MissingPiece, 'fix'> {
  /** Package of Debian and Ubuntu. */
  debian: string;
  /** Advice for other systems. */
  elsewhere: Message;
  isInstalled: () => Promise<boolean>;
}

function pieces({ h2Paths, usesH2 }: MachineNeeds): Piece[] {
  return [
    {
      what: msg('machine.java', { version: oldestJava }),
      why: msg('machine.javaWhy'),
      debian: 'default-jre-headless',
      elsewhere: msg('machine.javaFix', { version: oldestJava }),
      needed: true,
      isInstalled: hasJava,
    },
    {
      what: msg('machine.h2', { version: h2Version }),
      why: msg('machine.h2Why'),
      debian: 'libh2-java',
      elsewhere: msg('machine.h2Fix', { version: h2Version }),
      needed: usesH2,
      isInstalled: async () => (await findH2Runtime(h2Paths)).jar !== null,
    },
    {
      what: 'git',
      why: msg('machine.gitWhy'),
      debian: 'git',
      elsewhere: msg('machine.gitFix'),
      needed: false,
      isInstalled: () => anyProgram(['git']),
    },
    {
      what: 'bubblewrap (bwrap)',
      why: msg('machine.bubblewrapWhy'),
      debian: 'bubblewrap',
      elsewhere: msg('machine.bubblewrapFix'),
      needed: false,
      isInstalled: async () => process.platform !== 'linux' || (await anyProgram(['bwrap'])),
    },
    {
      what: 'Chromium',
      why: msg('machine.browserWhy'),
      debian: 'chromium',
      elsewhere: msg('machine.browserFix'),
      needed: false,
      isInstalled: hasBrowser,
    },
  ];
}

/** Returns what this machine lacks, in a fixed order. Starts no process. */
export async function checkMachine(needs: MachineNeeds): Promise<MissingPiece[]> {
  const all = pieces(needs);
  const [installed, debian] = await Promise.all([
    Promise.all(all.map((piece) => piece.isInstalled())),
    isDebian(),
  ]);
  return all
    .filter((_, index) => !installed[index])
    .map(({ what, why, needed, ...piece }) => ({
      what,
      why,
      fix: debian ? `apt-get install ${piece.debian}` : piece.elsewhere,
      needed,
    }));
}

async function hasJava(): Promise<boolean> {
  const java = await findJava();
  if (java === null) return false;
  return ((await javaVersionOf(java)) ?? oldestJava) >= oldestJava;
}

/** Electron includes a browser. */
async function hasBrowser(): Promise<boolean> {
  if (process.versions['electron'] !== undefined) return true;
  return (await findBrowser(null)) !== null;
}

async function anyProgram(names: readonly string[]): Promise<boolean> {
  const found = await Promise.all(names.map((name) => findProgram(name)));
  return found.some((path) => path !== null);
}

async function anyFile(paths: readonly string[]): Promise<boolean> {
  const found = await Promise.all(
    paths.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

const isDebian = (): Promise<boolean> => anyFile(['/etc/debian_version']);
