import { spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { filesBelow } from '../files-below.ts';
import { kitRoot } from '../kit-root.ts';
import type { Command } from './command.ts';
import { pluginDirectories } from './plugin-directories.ts';
import { readOptions } from './read-options.ts';

export const testCommand: Command = {
  usage: '[directory]',
  summary: 'Runs the tests of a plugin, with its worker in the sandbox.',
  async run(args, { log }) {
    const { positionals } = readOptions(args, {}, 1);
    let code = 0;
    for (const directory of await pluginDirectories(positionals)) {
      const files = (await filesBelow(directory, { withTests: true })).filter((path) =>
        /\.test\.m?js$/.test(path),
      );
      if (files.length === 0) {
        log(`${directory} has no tests: no file ends with .test.mjs or .test.js.`);
        code = 1;
      } else if ((await runTests(directory, files)) !== 0) code = 1;
    }
    return code;
  },
};

/** With the test runner of Node, which finds the kit under its name. */
async function runTests(directory: string, files: readonly string[]): Promise<number> {
  const finder = join(kitRoot, 'lib', 'find-kit.mjs');
  await access(finder);
  const args = ['--import', pathToFileURL(finder).href, '--test', ...files];
  const child = spawn(process.execPath, args, { cwd: directory, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
