import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildLiteDeb, liteBudget } from './packages/lite-deb.ts';
import type { ElectronBuild } from './packages/electron.ts';
import { builds as own } from '../service/contract/builds.ts';
import { type Build, outputFolder } from './packages/product.ts';
import { writeRelease } from './packages/release.ts';
import { writeChecksums } from './packages/checksums.ts';

/** Build of each package by its name on the command line. */
const builds: Readonly<Record<'lite' | ElectronBuild, Build>> = {
  lite: 'lite-deb',
  deb: 'deb',
  zip: 'zip',
  appimage: 'appimage',
  rpm: 'rpm',
  'win-zip': 'win-zip',
  'win-setup': 'win-setup',
  'mac-zip': 'mac-zip',
};
const kinds = Object.keys(builds) as (keyof typeof builds)[];

const usage = `Usage: npm run package -- <${kinds.join('|')}> [--electron-dist=<folder or zip>] [--win-modules=<folder>]`;

/**
 * Packages the built program: writes the file, its bill of materials and the checksums of the
 * output folder. Resolves with the exit code.
 */
export async function makePackage(args: string[], output = outputFolder): Promise<number> {
  try {
    const { kind, electronDist, windowsModules } = read(args);
    // Imported on demand, as the packagers take seconds to load.
    const made =
      kind === 'lite'
        ? buildLiteDeb({ output })
        : await (
            await import('./packages/electron.ts')
          ).buildElectron(kind, { output, electronDist, windowsModules });
    if (kind === 'lite' && statSync(made.file).size > liteBudget.packed)
      throw new Error(`${made.file} is larger than ${liteBudget.packed} bytes.`);
    const build = builds[kind];
    // electron-updater has its own release descriptions.
    if (own[build].updatedBy !== 'desktop') writeRelease(made.file, { build, arch: made.arch });
    writeChecksums(output);
    process.stdout.write(`${made.file}\n${made.bom}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

function read(args: string[]) {
  const options = {
    'electron-dist': { type: 'string' },
    'win-modules': { type: 'string' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const kind = kinds.find((one) => one === positionals[0]);
    if (kind === undefined || positionals.length !== 1) throw new Error('Name one package.');
    return {
      kind,
      electronDist: values['electron-dist'],
      windowsModules: values['win-modules'],
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${why}\n${usage}`, { cause: error });
  }
}
