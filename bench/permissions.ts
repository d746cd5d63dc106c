import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as TreeSitter from '@vscode/tree-sitter-wasm';
import { Grammars } from '../service/features/permissions/shell/grammars.ts';
import type { ToolFacets } from '../service/features/permissions/tool-facets.ts';
import { judge } from '../service/features/permissions/verdict/judge.ts';
import { interleave, milliseconds } from './harness/measure.ts';
import { compare, type Row } from './harness/table.ts';

const { Language, Parser } = createRequire(import.meta.url)(
  '@vscode/tree-sitter-wasm',
) as typeof TreeSitter;

const rounds = 30;
const warmUps = 15;
const perRound = 100;
const characters = 500;
const ruleCount = 200;

const facets: ToolFacets = { command: ({ command }) => ({ command }) };

const grammarDirectory = join(
  import.meta.dirname,
  ...['..', 'node_modules', '@vscode', 'tree-sitter-wasm', 'wasm'],
);

/** A verdict on a chain of commands by 200 rules, against only parsing the same text. */
export async function permissions(): Promise<Row[]> {
  const grammars = new Grammars(grammarDirectory);
  await Parser.init({ locateFile: (file: string) => join(grammarDirectory, file) });
  const parser = new Parser();
  parser.setLanguage(await Language.load(join(grammarDirectory, 'tree-sitter-bash.wasm')));
  const rules = rulesOf();
  let count = 0;
  // Every text is different, so that caches have no effect.
  const each = async (work: (text: string) => unknown): Promise<number> => {
    const texts = Array.from({ length: perRound }, () => chain((count += 1)));
    const tookMs = await milliseconds(async () => {
      for (const text of texts) await work(text);
    });
    return tookMs / perRound;
  };
  const pairs = await interleave(
    rounds,
    {
      ours: () =>
        each((command) =>
          judge(
            { tool: 'execute_command', arguments: { command }, effect: 'execute', facets },
            { rules, mode: 'ask-for-approval', sandbox: 'full', platform: 'linux' },
            grammars,
          ),
        ),
      bare: () => each((text) => parser.parse(text)?.delete()),
    },
    warmUps,
  );
  parser.delete();
  const sides = { ours: pairs.ours, other: pairs.bare, against: 'bare' as const };
  const name = `verdict, ${characters} characters, ${ruleCount} rules`;
  return [compare({ name, unit: 'ms', ...sides, target: { addedMs: 1 } })];
}

/** Realistic commands up to the length limit; a number makes each line different. */
function chain(number: number): string {
  const parts = [
    'cd packages/app',
    `npm run build:${number} --silent`,
    "grep -rn 'TODO|FIXME' src | sort -u | head -20",
    'find . -name "*.ts" -newer package.json -print0 | xargs -0 wc -l',
    'git status --short && git log --oneline -5',
    "awk -F: '{print $1}' /etc/passwd 2>/dev/null",
    'echo "built $(date +%F) in $PWD"',
  ];
  let text = '';
  for (let at = 0; text.length < characters; at += 1)
    text += `${text === '' ? '' : ' && '}${parts[at % parts.length] ?? ''}`;
  return text.slice(0, text.lastIndexOf(' && ', characters + 20));
}

/** Most rules concern programs of the chain; the last allow rules permit all of it. */
function rulesOf() {
  const programs = [
    'npm',
    'git',
    'grep',
    'find',
    'docker',
    'kubectl',
    'make',
    'cargo',
    'echo',
    'cd',
  ];
  const list = (count: number, word: string): string[] =>
    Array.from({ length: count }, (_, n) => `Command(${programs[n % 10] ?? ''} ${word}${n}:*)`);
  const used = ['cd', 'npm', 'grep', 'sort', 'head', 'find', 'xargs', 'wc', 'git', 'awk', 'echo'];
  const grants = [...used, 'date'].map((program) => `Command(${program}:*)`);
  return {
    deny: list(60, 'x').join('\n'),
    ask: list(60, 'y').join('\n'),
    allow: [...list(ruleCount - 120 - grants.length, 'z'), ...grants].join('\n'),
  };
}
