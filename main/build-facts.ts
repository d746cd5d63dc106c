import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BuildFacts } from '../service/app/index.ts';
import type { LaunchFlags } from './flags.ts';

/** What `scripts/packages/product.ts` writes into the manifest of a package. */
interface PackagedManifest {
  packagedAs?: BuildFacts['kind'];
  updates?: { releases: string | null; key: string | null };
}

/** Given by the launcher of the lite package, which gives them again. */
const ofLauncher = ['--headless', '--web', '--reopen', '--setup=SQLITE'];

/** What this program is part of. `end` ends it as a person would. */
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

/** The sources have a manifest as well, which is none of a package. */
async function manifestIn(root: string): Promise<PackagedManifest> {
  if (!import.meta.filename.endsWith('.mjs')) return {};
  const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => '{}');
  return JSON.parse(text) as PackagedManifest;
}

/** A Node reads no asar archive; what it runs lies beside it. */
const unpacked = (root: string): string =>
  basename(root) === 'app.asar' ? `${root}.unpacked` : root;

function bundledNode(): string {
  const { resourcesPath, versions, execPath } = process as NodeJS.Process & {
    resourcesPath?: string;
  };
  if (versions['electron'] === undefined) return execPath;
  return join(resourcesPath ?? '', 'node', process.platform === 'win32' ? 'node.exe' : 'node');
}

/** A token or a key that was given stands nowhere, so nothing could be started with it again. */
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
