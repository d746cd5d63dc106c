import { spawnPassing } from './spawn.ts';

const bin = (name: string): string => `node_modules/${name}`;

type Step = [name: string, args: string[]];

/** Takes as long as all others together, so it runs beside them. */
const lint: Step[] = [
  // Rules that know types keep all programs of the project in memory.
  ['lint', ['--max-old-space-size=8192', bin('eslint/bin/eslint.js'), '.', '--max-warnings=0']],
];

const others: Step[] = [
  ['types', [bin('typescript/bin/tsc'), '-b']],
  ['notices', ['scripts/notices.ts', '--check']],
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

/** Every step runs, so that one look shows all that is wrong. */
export async function check(): Promise<number> {
  const failed = (await Promise.all([inTurn(lint), inTurn(others)])).flat();
  process.stderr.write(
    failed.length === 0 ? 'check: all is well\n' : `check failed: ${failed.join(', ')}\n`,
  );
  return failed.length === 0 ? 0 : 1;
}

async function inTurn(steps: Step[]): Promise<string[]> {
  const failed: string[] = [];
  for (const [name, args] of steps) {
    process.stderr.write(`check: ${name}\n`);
    if ((await spawnPassing(process.execPath, args)) !== 0) failed.push(name);
  }
  return failed;
}
