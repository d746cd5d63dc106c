import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readForeignBundle } from '../convert/foreign-bundle.ts';
import { type PackedForeign, packForeign } from '../convert/pack-foreign.ts';
import { textOf } from '../../service/messages/index.ts';
import { kitRoot } from '../kit-root.ts';
import { packPlugin } from '../pack-plugin.ts';
import { readPluginSource } from '../plugin-source.ts';
import { textReport } from '../validate/text-report.ts';
import { validatePlugin } from '../validate/validate-plugin.ts';
import type { Command, Terminal } from './command.ts';
import { pluginDirectories } from './plugin-directories.ts';
import { readOptions } from './read-options.ts';

export const packCommand: Command = {
  usage: '[directory or .mcpb…] [--out=…] [--json]',
  summary:
    'Makes a .plugin file and its .sha256 of each plugin, also of plugins for Claude and of MCP bundles.',
  options: {
    out: 'Folder for the packages. Default: dist in the folder of each plugin; the current folder for other formats.',
    json: 'Prints what was packed as JSON.',
  },
  async run(args, { print, printStatus }) {
    const { options, positionals } = readOptions(args, { out: 'value', json: 'switch' });
    const own: string[] = [];
    for (const path of positionals) {
      const packed = await packedForeign(path, options.out ?? '.');
      if (packed === null) own.push(path);
      else if (options.json === true) print(JSON.stringify(packed));
      else for (const line of reportOf(packed)) print(line);
    }
    if (own.length === 0 && positionals.length > 0) return 0;
    return packOwn(own, options.out, { print, printStatus });
  },
};

/** Packs plugins for this host. Resolves with 1 if one has errors. */
async function packOwn(
  named: readonly string[],
  out: string | undefined,
  { print, printStatus }: Terminal,
): Promise<number> {
  let code = 0;
  for (const directory of await pluginDirectories(named)) {
    const found = await validatePlugin(directory, { trial: false });
    if (found.findings.length > 0) for (const line of textReport([found])) printStatus(line);
    if (found.findings.some(({ severity }) => severity === 'error')) code = 1;
    else print((await packInto(directory, out ?? join(directory, 'dist'))).file);
  }
  return code;
}

/** Packs a plugin of another program; null if the path is not one. */
async function packedForeign(path: string, folder: string): Promise<PackedForeign | null> {
  const work = await mkdtemp(join(tmpdir(), 'plugin-convert-'));
  try {
    const bundle = await readForeignBundle(path, work);
    return bundle === null ? null : await packForeign(bundle, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const reportOf = ({ file, carried, notCarried }: PackedForeign): string[] => [
  file,
  ...carried.map((one) => `  carried over: ${textOf(one)}`),
  ...notCarried.map((one) => `  not carried over: ${textOf(one)}`),
];

async function packInto(source: string, folder: string): Promise<{ file: string }> {
  const { id, version } = (await readPluginSource(source)).manifest;
  const output = resolve(folder, `${id}-${version}.plugin`);
  return packPlugin({ source, output, kit: kitRoot });
}
