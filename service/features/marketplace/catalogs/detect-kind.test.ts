import { expect, test } from 'vitest';
import { detectKind } from './detect-kind.ts';

const anywhere = 'https://example.com/list.json';
const hostEntry = { id: 'com.example.words', package: 'words.plugin' };

test.each<[string, unknown, string, string | null]>([
  ['packages', { plugins: [hostEntry] }, anywhere, 'HOST'],
  ['packages after junk', { plugins: [null, 1, hostEntry] }, anywhere, 'HOST'],
  [
    'packages in a foreign place',
    { plugins: [hostEntry] },
    'https://h/.claude-plugin/marketplace.json',
    'HOST',
  ],
  ['a bare empty list', { plugins: [] }, anywhere, 'HOST'],
  ['paths', { name: 'x', plugins: [{ name: 'a', source: './a' }] }, anywhere, 'CLAUDE'],
  ['an owner', { owner: { name: 'x' }, plugins: [] }, anywhere, 'CLAUDE'],
  ['a name alone', { name: 'x', plugins: [] }, anywhere, 'CLAUDE'],
  ['an interface', { interface: { displayName: 'x' }, plugins: [] }, anywhere, 'AGENTS'],
  ['a policy', { plugins: [{ name: 'a', source: './a', policy: {} }] }, anywhere, 'AGENTS'],
  [
    'local sources',
    { plugins: [{ source: { source: 'local', path: './a' } }] },
    anywhere,
    'AGENTS',
  ],
  [
    'paths below .agents',
    { name: 'x', plugins: [{ name: 'a', source: './a' }] },
    'https://h/o/r/HEAD/.agents/plugins/marketplace.json?x=1',
    'AGENTS',
  ],
  [
    'a policy below .claude-plugin',
    { plugins: [{ name: 'a', source: './a', policy: {} }] },
    '/somewhere/.claude-plugin/marketplace.json',
    'CLAUDE',
  ],
  ['plugins of something else', { plugins: [{ slug: 'akismet' }] }, anywhere, null],
  ['no list', { plugins: {} }, anywhere, null],
  ['a message', { message: 'Not Found' }, anywhere, null],
  ['a list', [], anywhere, null],
  ['null', null, anywhere, null],
  ['text', 'x', 'not an address', null],
])('a catalog with %s is recognized by its content', (_what, document, address, kind) => {
  expect(detectKind(document, address)).toBe(kind);
});
