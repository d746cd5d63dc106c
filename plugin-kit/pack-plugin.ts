import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { HostError } from '../service/core/host-error.ts';
import { acceptPackage } from '../service/features/plugins/packages/accept-package.ts';
import { filesBelow } from './files-below.ts';
import type { Environment } from './javac.ts';
import { bundleModule } from './bundle/bundle-modules.ts';
import { bundleNotices } from './bundle/bundle-notices.ts';
import { isDeclaration, isReserved, readPluginSource, type PluginSource } from './plugin-source.ts';
import { buildWorkerJar } from './worker-jar.ts';
import { writeZip, type ZipEntry } from './zip.ts';

/** Input of `packPlugin`. */
export interface PackInput {
  /** Directory of the plugin, with its `manifest.json`. */
  source: string;
  /** The `.plugin` file to write; `<output>.sha256` is written beside it. */
  output: string;
  /** Directory of the plugin kit. */
  kit: string;
  /** Environment for finding the Java compiler; default `process.env`. */
  environment?: Environment;
}

/** A written package. */
export interface PackedPlugin {
  id: string;
  version: string;
  file: string;
  /** SHA-256 of the package, in hex. */
  sha256: string;
}

/**
 * Builds one package. The same sources give the same bytes.
 * @throws MissingJavac if a Java worker cannot be compiled on this machine
 * @throws Error if the sources are invalid
 */
export async function packPlugin(input: PackInput): Promise<PackedPlugin> {
  const { source, output, kit, environment = process.env } = input;
  const plugin = await readPluginSource(source);
  const work = await mkdtemp(join(tmpdir(), 'plugin-pack-'));
  try {
    const entries = await packageEntries(plugin, { kit, work, environment });
    await mkdir(dirname(output), { recursive: true });
    const sha256 = await writeZip(output, entries);
    await checkAsHost(output, sha256);
    await writeFile(`${output}.sha256`, `${sha256}  ${basename(output)}\n`);
    return { id: plugin.manifest.id, version: plugin.manifest.version, file: output, sha256 };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Deletes a package that no host would install. Keeps one that needs a newer host. */
async function checkAsHost(path: string, sha256: string): Promise<void> {
  const checksum = { claimed: sha256, required: true };
  try {
    await acceptPackage({ path, sha256 }, { trust: 'shipped', checksum });
  } catch (error) {
    if (error instanceof HostError && error.code === 'host_too_old') return;
    await rm(path, { force: true });
    throw error;
  }
}

interface Packing {
  kit: string;
  /** An empty folder for intermediate files. */
  work: string;
  environment: Environment;
}

/** Returns everything in the package of a plugin. */
async function packageEntries(
  plugin: PluginSource,
  { kit, work, environment }: Packing,
): Promise<ZipEntry[]> {
  const { directory, library } = plugin;
  const entries = [
    ...plugin.files
      .filter((path) => isPacked(plugin, path))
      .map((path) => at(path, directory, path)),
    ...(await below(join(kit, 'page'), 'ui/plugin-kit')),
    ...(await bundledEntries(plugin)),
  ];
  if (library === 'node') entries.push(...(await below(join(kit, 'node'), 'backend/plugin-kit')));
  if (library !== 'java') return entries;
  const jar = join(work, 'worker.jar');
  const jars = plugin.files.filter(isLibrary);
  await buildWorkerJar({
    sources: join(directory, 'backend/src'),
    library: join(kit, 'java'),
    jars: jars.map((path) => join(directory, path)),
    output: jar,
    environment,
  });
  return [
    ...entries,
    { path: plugin.workerEntry, file: jar },
    ...jars.map((path) => at(`backend/lib/${basename(path)}`, directory, path)),
  ];
}

/** Returns the bundled modules with the license notices of the npm packages in them. */
async function bundledEntries({ directory, bundles, files }: PluginSource): Promise<ZipEntry[]> {
  const made = await Promise.all(bundles.map((one) => bundleModule({ ...one, directory })));
  const entries = made.map(({ path, bytes }) => ({ path, bytes }));
  const notices = await bundleNotices(made.flatMap(({ packages }) => packages));
  if (notices === null || files.includes(noticesFile)) return entries;
  return [...entries, { path: noticesFile, bytes: Buffer.from(notices) }];
}

const isLibrary = (path: string): boolean => /^(?:backend\/)?lib\/[^/]+\.jar$/.test(path);

/** Licenses of bundled packages; authors may write the file themselves. */
const noticesFile = 'THIRD-PARTY-NOTICES';
/** Files for the author only: tool settings, tests, and types for editors. */
const forAuthors = /^(?:(?:package(?:-lock)?|[jt]sconfig)\.json|tests?\/.*)$/;
/** Output of an earlier packing. */
const isPackage = (path: string): boolean => /\.plugin(?:\.sha256)?$/.test(path);
const isCode = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path);

function isPacked({ library, bundles }: PluginSource, path: string): boolean {
  if (isReserved(path) || isPackage(path) || isDeclaration(path) || /\.[cm]?tsx?$/.test(path))
    return false;
  if (library !== null && forAuthors.test(path))
    return path === 'package.json' && !bundlesWorker(bundles);
  if (library === 'java') return !path.startsWith('backend/src/') && !isLibrary(path);
  return !(bundlesWorker(bundles) && path.startsWith('backend/') && isCode(path));
}

const bundlesWorker = (bundles: PluginSource['bundles']): boolean =>
  bundles.some(({ platform }) => platform === 'node');

const at = (path: string, directory: string, file: string): ZipEntry => ({
  path,
  file: join(directory, file),
});

async function below(directory: string, target: string): Promise<ZipEntry[]> {
  return (await filesBelow(directory)).map((path) => at(`${target}/${path}`, directory, path));
}
