import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BuildFacts } from '../service/app/index.ts';
import type { LaunchFlags } from './flags.ts';

/** The fields that `scripts/packages/product.ts` adds to the manifest of a package. */
interface PackagedManifest {
  packagedAs?: BuildFacts['kind'];
  updates?: { releases: string | null; key: string | null };
}

/** Flags that the launcher of the lite package adds by itself on every start. */
const ofLauncher = ['--headless', '--web', '--reopen', '--setup=SQLITE'];

/**
 * Returns the kind of build that this program is and how it updates. `end` quits the app, with its
 * questions.
 */
export async function readBuildFacts(flags: LaunchFlags, end: () => void): Promise<BuildFacts> {
  const root = join(import.meta.dirname, '..', '..');
  const { packagedAs = 'dev', updates } = await manifestIn(root);
  return {
    kind: packagedAs,
    arch: process.arch,
    end,
    releases: updates?.releases ?? null,
    releaseKey: updates?.key ?? null,
    folder: dirname(process.execPath),
    node: bundledNode(),
    swapProgram: join(unpacked(root), 'dist', 'main', 'swap-update.mjs'),
    restart: restartOf(packagedAs, flags, root),
  };
}

/** A source checkout has a package.json too, but without the `product` fields. */
async function manifestIn(root: string): Promise<PackagedManifest> {
  if (!import.meta.filename.endsWith('.mjs')) return {};
  const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => '{}');
  return JSON.parse(text) as PackagedManifest;
}

/** Plain Node cannot read asar archives; the files it runs are unpacked beside the archive. */
const unpacked = (root: string): string =>
  basename(root) === 'app.asar' ? `${root}.unpacked` : root;

function bundledNode(): string {
  const { resourcesPath, versions, execPath } = process as NodeJS.Process & {
    resourcesPath?: string;
  };
  if (versions['electron'] === undefined) return execPath;
  return join(resourcesPath ?? '', 'node', process.platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * Returns null after a start with a token or a machine key: secrets are not stored, so such a start
 * cannot be repeated.
 */
function restartOf(
  kind: BuildFacts['kind'],
  flags: LaunchFlags,
  root: string,
): BuildFacts['restart'] {
  if (flags.token !== null || flags.machineKey !== null) return null;
  if (kind === 'lite-deb') {
    if (!flags.reopen) return null;
    const args = process.argv.slice(2).filter((arg) => !ofLauncher.includes(arg));
    return { program: join(root, '..', '..', '..', 'bin', 'plugin-host'), args };
  }
  return flags.headless ? null : { program: process.execPath, args: process.argv.slice(1) };
}
