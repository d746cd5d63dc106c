import { spawnPassing } from './spawn.ts';

const bin = (name: string): string => `node_modules/${name}`;

type Step = [name: string, args: string[]];

/**
 * Typed lint rules keep the programs of everything they read in memory, so each part runs in its
 * own process.
 */
const lintParts: string[][] = [
  ['service/features'],
  ['service', '--ignore-pattern', 'service/features/'],
  ['renderer-shell'],
  ['.', '--ignore-pattern', 'service/', '--ignore-pattern', 'renderer-shell/'],
];

/** Takes as long as all other steps together, so it runs in parallel. */
const lint = lintParts.map((part): Step => {
  const [folder = ''] = part;
  const args = [bin('eslint/bin/eslint.js'), '--max-warnings=0', ...part];
  return [`lint ${folder}`, ['--max-old-space-size=2048', ...args]];
});

const others: Step[] = [
  ['types', [bin('typescript/bin/tsc'), '-b']],
  ['docstrings', ['scripts/docstrings.ts']],
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

/** Runs every step even after a failure, so that one run shows all problems. */
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
