import { ESLint, Linter } from 'eslint';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import tseslint from 'typescript-eslint';
// @ts-expect-error The configuration of ESLint is plain JavaScript.
import { standardNames } from '../eslint.names.mjs';

const root = join(import.meta.dirname, '..');
const linter = new Linter({ cwd: root });
const plugins = { house: { rules: { 'standard-names': standardNames as never } } };

function messagesOf(code: string, file = 'main/desktop/tray.ts'): string[] {
  const config: Linter.Config = {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    plugins,
    rules: { 'house/standard-names': 'error' },
  };
  return linter.verify(code, [config], join(root, file)).map(({ message }) => message);
}

it.each([
  ['class ChatDesk {}', '"desk" is a private word: use Service.'],
  [
    'class RunBook {}',
    '"book" is a private word: use Store (persists), Registry (live things) or Cache.',
  ],
  ['const freeSlots = 1;', '"slots" is a private word: use Semaphore or Limiter.'],
  ['interface A { boxing: string }', '"boxing" is a private word: use sandbox.'],
  ['function f(reach: string) {}', '"reach" is a private word: use networkPolicy.'],
  [
    'const f = (told: string) => told;',
    '"told" is a private word: use emit, notify, report or reported.',
  ],
  ['class A { #heard = 1; }', '"heard" is a private word: use onEvent, received or receive.'],
  [
    'class A { constructor(private said: string) {} }',
    '"said" is a private word: use message, text or output.',
  ],
  ['class A { trouble() {} }', '"trouble" is a private word: use error or failure.'],
  ['const { a: words } = b;', '"words" is a private word: use messages or labels.'],
  ['const [shelf] = b;', '"shelf" is a private word: use list or catalog.'],
  ['type BroughtParts = 1;', '"brought" is a private word: use contributions.'],
  ['let traits = 1;', '"traits" is a private word: use capabilities.'],
  ['const isBesideCatalog = 1;', '"beside-catalog" is a private word: use extras.'],
  ['function takeInPackage() {}', '"take-in" is a private word: use install.'],
  ['const flowName = 1;', '"flow" is a private word: use workflow.'],
  ['for (const given of a) b(given);', '"given" is a private word: use input or provided.'],
  ['const known = 1;', '"known" is a private word: use cached or existing.'],
  ['const left = 1;', '"left" is a private word: use remaining or skipped.'],
  ['const keptCount = 1;', '"kept" is a private word: use stored or retained.'],
])('%s is refused', (code, message) => {
  expect(messagesOf(code)).toEqual([message]);
});

it.each([
  ['const givenName = 1;'],
  ['const isReachable = 1;'],
  ['const bookmark = 1;'],
  ['const knownHosts = 1;'],
  ['const left = box.x, right = box.right;'],
  ['const { given, left } = answer;'],
  ['answer.told({ words: 1 });'],
])('%s is not refused', (code) => {
  expect(messagesOf(code)).toEqual([]);
});

it('refuses private words in the name of a file', () => {
  expect(messagesOf('', 'service/features/chat/chat-desk.ts')).toHaveLength(1);
  expect(messagesOf('', 'service/features/chat/chat-service.ts')).toEqual([]);
});

it('allows a word where it has its usual meaning', () => {
  expect(messagesOf('const words = 1;', 'service/features/permissions/shell/words.ts')).toEqual([]);
  expect(messagesOf('const flow = 1;', 'service/features/mcp/oauth/sign-in-flow.ts')).toEqual([]);
});

it('applies to every file of the project', async () => {
  const eslint = new ESLint({ cwd: root });
  for (const file of ['service/core/errors.ts', 'renderer-shell/app.tsx', 'e2e/stop.test.ts']) {
    const { rules } = (await eslint.calculateConfigForFile(file)) as Linter.Config;
    expect(rules?.['house/standard-names'], file).toEqual([2]);
  }
});
