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
/** Made here, so that a bundle's own files of these names do not stay. */
const made = /^(?:manifest\.json$|ui\/|backend\/)/;

export interface PackedForeign extends Pick<ConvertedPlugin, 'carried' | 'notCarried'> {
  kind: ForeignBundle['kind'];
  file: string;
  /** Of the package, in hex. */
  sha256: string;
}

/**
 * Makes a package of a plugin that was made for another program: its files as they are, with a manifest,
 * a page that lists what is inside, and a worker without methods.
 * @throws HostError for one that a host would refuse
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
