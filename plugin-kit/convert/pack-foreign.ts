import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { acceptPackage } from '../../service/features/plugins/packages/accept-package.ts';
import { msg } from '../../service/messages/index.ts';
import { filesBelow } from '../files-below.ts';
import { kitRoot } from '../kit-root.ts';
import { writeZip, type ZipEntry } from '../zip.ts';
import { contentsPage } from './contents-page.ts';
import { type ConvertedPlugin, convertBundle } from './converted-plugin.ts';
import type { ForeignBundle } from './foreign-bundle.ts';

const worker = `import { createWorker } from './plugin-kit/worker.mjs';\n\ncreateWorker().run();\n`;
/** Files that the conversion creates; files of the bundle with these names are dropped. */
const made = /^(?:manifest\.json$|ui\/|backend\/)/;

/** Result of `packForeign`. */
export interface PackedForeign extends Pick<ConvertedPlugin, 'carried' | 'notCarried'> {
  kind: ForeignBundle['kind'];
  file: string;
  /** SHA-256 of the package, in hex. */
  sha256: string;
}

/**
 * Packs a plugin that was made for another program: its files unchanged, with a manifest, a page
 * that lists its contents, and a worker without methods.
 * @throws HostError if a host would refuse the package
 */
export async function packForeign(bundle: ForeignBundle, folder: string): Promise<PackedForeign> {
  const plugin = convertBundle(bundle);
  const { manifest, mcpServers, carried } = plugin;
  const file = resolve(folder, `${manifest.id}-${manifest.version}.plugin`);
  const { html, script } = await contentsPage(plugin);
  const taken = bundle.files.filter((path) => !made.test(path));
  const notCarried = [
    ...plugin.notCarried,
    ...bundle.files
      .filter((path) => made.test(path) && path !== bundle.manifestFile)
      .map((path) => msg('convert.ownFile', { path })),
  ];
  const own = [
    text('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`),
    text('ui/index.html', html),
    text('ui/contents.js', script),
    text('backend/worker.mjs', worker),
    ...(mcpServers === null ? [] : [text('.mcp.json', mcpServers)]),
    ...(await kitFiles('page', 'ui/plugin-kit')),
    ...(await kitFiles('node', 'backend/plugin-kit')),
  ];
  const paths = new Set(own.map(({ path }) => path));
  const others = taken
    .filter((path) => !paths.has(path))
    .map((path) => ({ path, file: join(bundle.directory, path) }));
  await mkdir(dirname(file), { recursive: true });
  const sha256 = await writeZip(file, [...own, ...others]);
  try {
    const checksum = { claimed: sha256, required: true };
    await acceptPackage({ path: file, sha256 }, { trust: 'outside', checksum });
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
  await writeFile(`${file}.sha256`, `${sha256}  ${basename(file)}\n`);
  return { kind: bundle.kind, file, sha256, carried, notCarried };
}

const text = (path: string, content: string): ZipEntry => ({ path, bytes: Buffer.from(content) });

async function kitFiles(part: string, target: string): Promise<ZipEntry[]> {
  const folder = join(kitRoot, part);
  return (await filesBelow(folder)).map((path) => ({
    path: `${target}/${path}`,
    file: join(folder, path),
  }));
}
