import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import ts from 'typescript';

const here = import.meta.dirname;

const constantDeclarations = `
export declare const PluginClient: PluginClientApi;
declare global {
  /** Set by the classic script \`plugin-client.js\`. */
  var PluginClient: PluginClientApi;
}
`;

/**
 * Writes the files that plugin pages load into `outputDirectory`: `plugin-client.js` (a classic
 * script that sets the global `PluginClient`), `plugin-client.mjs` (a module that exports it) and
 * `plugin-client.d.ts`.
 */
export async function buildPluginClient({
  outputDirectory,
}: {
  outputDirectory: string;
}): Promise<void> {
  await mkdir(outputDirectory, { recursive: true });
  const bundle = (entry: string, file: string, format: 'iife' | 'esm') =>
    build({
      input: join(here, entry),
      output: { file: join(outputDirectory, file), format },
      platform: 'browser',
      logLevel: 'warn',
    });
  await bundle('plugin-client-global.ts', 'plugin-client.js', 'iife');
  await bundle('plugin-client.ts', 'plugin-client.mjs', 'esm');
  await writeFile(join(outputDirectory, 'plugin-client.d.ts'), await declarations());
}

async function declarations(): Promise<string> {
  const source = await readFile(join(here, 'api.ts'), 'utf8');
  const { outputText } = ts.transpileDeclaration(source, { fileName: 'api.ts' });
  return outputText + constantDeclarations;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildPluginClient({ outputDirectory: join(here, '../../dist/plugin-client') });
}
