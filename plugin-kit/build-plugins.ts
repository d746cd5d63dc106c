import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { filesBelow } from './files-below.ts';
import { MissingJavac, type Environment } from './javac.ts';
import { packPlugin, type PackedPlugin } from './pack-plugin.ts';
import { readPluginSource, type PluginSource } from './plugin-source.ts';

/** Input of `buildPlugins`. */
export interface BuildInput {
  /** Each directory in it that has a `manifest.json` is a plugin. */
  pluginsDirectory: string;
  kitDirectory: string;
  outputDirectory: string;
  /** Environment for finding the Java compiler; default `process.env`. */
  environment?: Environment;
}

/** A package that is current after a build. */
export interface BuiltPlugin extends PackedPlugin {
  /** False if the package of an earlier build was still current. */
  rebuilt: boolean;
}

/** A plugin that was not built. */
export interface LeftOutPlugin {
  id: string;
  /** A sentence for people. */
  reason: string;
}

/** Result of `buildPlugins`. */
export interface BuildResult {
  built: BuiltPlugin[];
  leftOut: LeftOutPlugin[];
}

/** Suffix of the file beside a package that stores the hash of its inputs. */
const inputsSuffix = '.inputs';

/**
 * Builds `<id>-<version>.plugin` and its `.sha256` for every plugin whose inputs changed. Skips
 * plugins that this machine cannot build: `left-out.json` in the output directory gives the reasons
 * (`[{id, reason}]`, empty if all were built). `catalog.json` lists the built plugins. Deletes
 * outdated packages of earlier builds.
 * @throws Error if the sources of a plugin are invalid
 */
export async function buildPlugins(input: BuildInput): Promise<BuildResult> {
  const { pluginsDirectory, outputDirectory } = input;
  await mkdir(outputDirectory, { recursive: true });
  const result: BuildResult = { built: [], leftOut: [] };
  const entries: object[] = [];
  for (const name of (await readdir(pluginsDirectory)).sort()) {
    const directory = join(pluginsDirectory, name);
    if (!(await isFile(join(directory, 'manifest.json')))) continue;
    const source = await readPluginSource(directory);
    try {
      const built = await buildOne(source, input);
      result.built.push(built);
      entries.push(await catalogEntry(source, built));
    } catch (error) {
      if (!(error instanceof MissingJavac)) throw error;
      result.leftOut.push({ id: source.manifest.id, reason: error.message });
    }
  }
  await removeOutdated(outputDirectory, new Set(result.built.map((plugin) => plugin.file)));
  const leftOut = `${JSON.stringify(result.leftOut, null, 2)}\n`;
  await writeFile(join(outputDirectory, 'left-out.json'), leftOut);
  const catalog = `${JSON.stringify({ plugins: entries }, null, 2)}\n`;
  await writeFile(join(outputDirectory, 'catalog.json'), catalog);
  return result;
}

/** Returns the entry of a package in the catalog of the built-in source. */
async function catalogEntry({ manifest }: PluginSource, built: BuiltPlugin): Promise<object> {
  const { size } = await stat(built.file);
  return { ...manifest, package: basename(built.file), sha256: built.sha256, sizeBytes: size };
}

async function buildOne(source: PluginSource, input: BuildInput): Promise<BuiltPlugin> {
  const { kitDirectory: kit, outputDirectory, environment } = input;
  const { id, version } = source.manifest;
  const file = join(outputDirectory, `${id}-${version}.plugin`);
  const inputs = await hashOfInputs(source, kit);
  const sha256 = await currentPackage(file, inputs);
  if (sha256 !== null) return { id, version, file, sha256, rebuilt: false };
  const packed = await packPlugin({ source: source.directory, output: file, kit, environment });
  await writeFile(`${file}${inputsSuffix}`, `${inputs}\n`);
  return { ...packed, rebuilt: true };
}

/** Returns the SHA-256 of the package that was built from these inputs; null if there is none. */
async function currentPackage(file: string, inputs: string): Promise<string | null> {
  if (!(await isFile(file))) return null;
  const [storedInputs, sidecar] = await Promise.all(
    [inputsSuffix, '.sha256'].map((suffix) => readFile(`${file}${suffix}`, 'utf8').catch(() => '')),
  );
  const sha256 = sidecar?.slice(0, 64) ?? '';
  if (storedInputs?.trim() !== inputs) return null;
  const actual = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  return actual === sha256 ? actual : null;
}

async function hashOfInputs(source: PluginSource, kit: string): Promise<string> {
  const packer = (await readdir(kit)).filter((name) => /(?<!\.test)\.ts$/.test(name)).sort();
  const bundler = await filesBelow(join(kit, 'bundle'));
  const hash = createHash('sha256');
  const add = async (directory: string, paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      const bytes = await readFile(join(directory, path));
      hash.update(`${path}\0${String(bytes.length)}\0`).update(bytes);
    }
  };
  await add(source.directory, source.files);
  for (const part of ['page', ...(source.library === null ? [] : [source.library])]) {
    await add(join(kit, part), await filesBelow(join(kit, part)));
  }
  // Bundles contain npm packages, so their lock file is an input.
  const lock = source.bundles.length === 0 ? null : await lockFolder(source.directory);
  if (lock !== null) await add(lock, [lockFile]);
  await add(kit, packer);
  await add(join(kit, 'bundle'), bundler);
  return hash.digest('hex');
}

const lockFile = 'package-lock.json';

/**
 * Returns the nearest folder, from the plugin's upwards, in which npm recorded what is installed.
 */
async function lockFolder(directory: string): Promise<string | null> {
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    if (await isFile(join(folder, lockFile))) return folder;
    if (dirname(folder) === folder) return null;
  }
}

/** Deletes outdated packages. An `.inputs` file marks those that a build made; others stay. */
async function removeOutdated(directory: string, current: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.endsWith(`.plugin${inputsSuffix}`)) continue;
    const file = join(directory, name.slice(0, -inputsSuffix.length));
    if (current.has(file)) continue;
    for (const suffix of ['', '.sha256', inputsSuffix])
      await rm(`${file}${suffix}`, { force: true });
  }
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
