import { spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesBelow } from '../files-below.ts';
import { runJUnit } from '../junit.ts';
import { kitRoot } from '../kit-root.ts';
import { type Command, type Terminal, UsageError } from './command.ts';
import { onlyPlugin, pluginDirectories } from './plugin-directories.ts';
import { readOptions } from './read-options.ts';

export const testCommand: Command = {
  usage: '[directory] [--stdio [--config=<JSON>]]',
  summary: 'Runs the tests of a plugin, with its worker in the sandbox.',
  options: {
    stdio:
      'Starts the plugin and answers test calls as JSON-RPC on stdin and stdout, for other languages.',
    config: 'Settings of the plugin as a JSON object, with --stdio.',
  },
  async run(args, terminal) {
    const kinds = { stdio: 'switch', config: 'value' } as const;
    const { options, positionals } = readOptions(args, kinds, 1);
    if (options.stdio === true)
      return servePlugin(await onlyPlugin(positionals), options.config, terminal);
    if (options.config !== undefined) throw new UsageError('--config belongs to --stdio.');
    let code = 0;
    for (const directory of await pluginDirectories(positionals)) {
      if ((await runTests(directory, terminal)) !== 0) code = 1;
    }
    return code;
  },
};

async function runTests(directory: string, { printStatus }: Terminal): Promise<number> {
  const files = await filesBelow(directory, { withTests: true });
  const scripts = files.filter((path) => /\.test\.m?js$/.test(path));
  const classes = files.filter((path) => /^test\/.*\.java$/.test(path));
  if (scripts.length + classes.length === 0) {
    printStatus(
      `${directory} has no tests: no file ends with .test.mjs or .test.js, and test/ has no .java.`,
    );
    return 1;
  }
  const codes = [
    scripts.length === 0 ? 0 : await runScripts(directory, scripts),
    classes.length === 0 ? 0 : await runJUnit(directory, classes),
  ];
  return codes.find((code) => code !== 0) ?? 0;
}

/** Runs the scripts with Node's test runner, which resolves the kit by its name. */
async function runScripts(directory: string, files: readonly string[]): Promise<number> {
  const finder = join(kitRoot, 'lib', 'find-kit.mjs');
  await access(finder);
  const args = ['--import', pathToFileURL(finder).href, '--test', ...files];
  const child = spawn(process.execPath, args, { cwd: directory, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** Serves tests in another language, see `serveTests`. Ends when stdin closes. */
async function servePlugin(
  directory: string,
  config: string | undefined,
  { print }: Terminal,
): Promise<number> {
  const values = config === undefined ? undefined : configOf(config);
  const { serveTests } = await import('../sandbox/serve-tests.ts');
  const { startPlugin } = await import('../sandbox/start-plugin.ts');
  const plugin = await startPlugin({ directory, ...(values && { config: values }) });
  try {
    await serveTests({ plugin, input: process.stdin, write: print });
    return 0;
  } finally {
    await plugin.close();
  }
}

function configOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Reported below.
  }
  throw new UsageError('--config must be a JSON object such as {"unit":"km"}.');
}
