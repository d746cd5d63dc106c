import { join, resolve } from 'node:path';
import { kitRoot } from '../kit-root.ts';
import { packPlugin } from '../pack-plugin.ts';
import { readPluginSource } from '../plugin-source.ts';
import type { PluginFindings } from '../validate/finding.ts';
import { textReport } from '../validate/text-report.ts';
import { validatePlugin } from '../validate/validate-plugin.ts';
import type { Command } from './command.ts';
import { pluginDirectories } from './plugin-directories.ts';
import { readOptions } from './read-options.ts';

export const packCommand: Command = {
  usage: '[directory…] [--out=…]',
  summary: 'Makes a .plugin file and its .sha256 of each plugin.',
  async run(args, { print, say }) {
    const { options, positionals } = readOptions(args, { out: 'value' });
    const failed: PluginFindings[] = [];
    for (const directory of await pluginDirectories(positionals)) {
      const found = await validatePlugin(directory, { trial: false });
      const errors = found.findings.filter(({ severity }) => severity === 'error');
      if (found.findings.length > 0) for (const line of textReport([found])) say(line);
      if (errors.length > 0) {
        failed.push(found);
        continue;
      }
      print((await packInto(directory, options.out ?? join(directory, 'dist'))).file);
    }
    return failed.length > 0 ? 1 : 0;
  },
};

async function packInto(source: string, folder: string): Promise<{ file: string }> {
  const { id, version } = (await readPluginSource(source)).manifest;
  const output = resolve(folder, `${id}-${version}.plugin`);
  return packPlugin({ source, output, kit: kitRoot });
}
