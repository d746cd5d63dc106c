import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry } from 'yauzl';
import { PluginManifest } from '../../service/contract/manifest.ts';
import { packPlugin, type PackedPlugin } from '../pack.ts';
import { unpack } from './unpack.ts';

/** The plugin kit's directory. */
export const kit = join(import.meta.dirname, '..');

/** A plugin that was packed and unpacked again. */
export interface UnpackedPlugin {
  packed: PackedPlugin;
  entries: Entry[];
  manifest: PluginManifest;
  /** Folder of the unpacked package. */
  directory: string;
  close: () => Promise<void>;
}

/** Packs the plugin in a source directory and unpacks it, as an installation does. */
export async function packAndUnpack(source: string): Promise<UnpackedPlugin> {
  const work = await mkdtemp(join(tmpdir(), 'packed-plugin-'));
  const directory = join(work, 'unpacked');
  const packed = await packPlugin({ source, output: join(work, 'sample.plugin'), kit });
  const entries = await unpack(packed.file, directory);
  const manifest = await readFile(join(directory, 'manifest.json'), 'utf8');
  return {
    packed,
    entries,
    manifest: PluginManifest.parse(JSON.parse(manifest)),
    directory,
    close: () => rm(work, { recursive: true, force: true }),
  };
}
