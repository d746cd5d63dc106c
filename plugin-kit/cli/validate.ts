import { textReport } from '../validate/text-report.ts';
import type { PluginFindings } from '../validate/finding.ts';
import { validatePlugin } from '../validate/validate-plugin.ts';
import type { Command } from './command.ts';
import { pluginDirectories } from './plugin-directories.ts';
import { readOptions } from './read-options.ts';

export const validateCommand: Command = {
  usage: '[directory…] [--json] [--no-trial]',
  summary: 'Reports all problems of plugins, and starts their workers once.',
  options: {
    json: 'Prints all findings as JSON.',
    'no-trial': 'Does not start the workers.',
  },
  async run(args, { print }) {
    const kinds = { json: 'switch', 'no-trial': 'switch' } as const;
    const { options, positionals } = readOptions(args, kinds);
    const plugins: PluginFindings[] = [];
    for (const directory of await pluginDirectories(positionals))
      plugins.push(await validatePlugin(directory, { trial: options['no-trial'] !== true }));
    if (options.json === true) print(JSON.stringify({ plugins }, null, 2));
    else for (const line of textReport(plugins)) print(line);
    return plugins.some(({ findings }) => findings.length > 0) ? 1 : 0;
  },
};
