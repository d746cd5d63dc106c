import { spawnPassing } from './spawn.ts';

const bin = (name: string): string => `node_modules/${name}`;

/** Every step runs, so that one look shows all that is wrong. */
const steps: [string, string[]][] = [
  ['types', [bin('typescript/bin/tsc'), '-b']],
  // Rules that know types keep all programs of the project in memory.
  ['lint', ['--max-old-space-size=8192', bin('eslint/bin/eslint.js'), '.', '--max-warnings=0']],
  [
    'layers',
    [
      bin('dependency-cruiser/bin/dependency-cruiser.mjs'),
      '--config',
      '.dependency-cruiser.mjs',
      'service',
      'main',
      'preload',
      'renderer-shell',
      'plugin-kit',
      'e2e',
    ],
  ],
  ['format', [bin('prettier/bin/prettier.cjs'), '--check', '--log-level=warn', '.']],
];

export async function check(): Promise<number> {
  const failed: string[] = [];
  for (const [name, args] of steps) {
    process.stderr.write(`check: ${name}\n`);
    if ((await spawnPassing(process.execPath, args)) !== 0) failed.push(name);
  }
  process.stderr.write(
    failed.length === 0 ? 'check: all is well\n' : `check failed: ${failed.join(', ')}\n`,
  );
  return failed.length === 0 ? 0 : 1;
}
