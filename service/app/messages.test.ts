import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { formatterOf, type Texts } from '../messages/format.ts';
import { msg, textOf } from '../messages/index.ts';
import { messagesFor } from '../messages/localize.ts';
import { parametersOf } from '../messages/testing/message-parameters.ts';
import en from '../messages/en.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');
const english: Texts = en.service;
const codes = Object.keys(english);

const folder = join(root, 'service/messages');
const catalogs = (await readdir(folder)).filter(
  (name) => name.endsWith('.json') && name !== 'tsconfig.json',
);
const serviceTextsOf = async (name: string): Promise<Texts> =>
  (JSON.parse(await readFile(join(folder, name), 'utf8')) as { service: Texts }).service;

it.each(catalogs)(
  '%s has every message, sorted by code, with the parameters of the English one',
  async (name) => {
    const texts = await serviceTextsOf(name);
    expect(Object.keys(texts)).toEqual(codes.toSorted());
    const other = codes.filter(
      (code) =>
        String(parametersOf(texts[code] ?? '')) !== String(parametersOf(english[code] ?? '')),
    );
    expect(other).toEqual([]);
  },
);

interface Use {
  file: string;
  code: string;
  /** Null when the parameters are not written next to the code. */
  parameters: string[] | null;
}

/** Property names of the object literal after the code; null for any other expression. */
function namesIn(node: ts.Expression | undefined): string[] | null {
  if (node === undefined) return [];
  if (!ts.isObjectLiteralExpression(node)) return null;
  const names = node.properties.map(({ name }) => name?.getText() ?? null);
  return names.includes(null) ? null : (names as string[]).toSorted();
}

function usesIn(file: string, source: string): Use[] {
  const uses: Use[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && Object.hasOwn(english, node.text)) {
      const call = node.parent;
      const isBuilt = ts.isCallExpression(call) && call.expression.getText() === 'msg';
      const parameters = isBuilt ? namesIn(call.arguments[1]) : null;
      uses.push({ file, code: node.text, parameters });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return uses;
}

async function allUses(): Promise<Use[]> {
  const files = (
    await Promise.all(
      ['service', 'main', 'plugin-kit'].map(async (folder) =>
        (await readdir(join(root, folder), { recursive: true })).map((file) => join(folder, file)),
      ),
    )
  ).flat();
  const speaking = files.filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\//.test(file),
  );
  const uses = await Promise.all(
    speaking.map(async (file) => usesIn(file, await readFile(join(root, file), 'utf8'))),
  );
  return uses.flat();
}

it('every message is used, with the parameters of its text', async () => {
  const uses = await allUses();
  const used = new Set(uses.map(({ code }) => code));
  expect(codes.filter((code) => code !== 'list.separator' && !used.has(code))).toEqual([]);
  const other = uses.filter(
    ({ code, parameters }) =>
      parameters !== null && String(parameters) !== String(parametersOf(english[code] ?? '')),
  );
  expect(other).toEqual([]);
});

it('texts from outside are inserted unchanged, whatever they contain', () => {
  const format = formatterOf({ said: 'It says: {text}' }, 'en');
  for (const text of ['{name}', '<b>x</b>', "it's {", '$& {{detail}}', '# 3'])
    expect(format({ code: 'said', parameters: { text } })).toBe(`It says: ${text}`);
});

it('a parameter can be a message or a list of messages', () => {
  const texts = {
    'list.separator': ', ',
    reason: 'it ended ({code})',
    gone: '{name} is gone: {reason}.',
  };
  const format = formatterOf(texts, 'en');
  const reason = { code: 'reason', parameters: { code: 3 } };
  expect(format({ code: 'gone', parameters: { name: 'files', reason } })).toBe(
    'files is gone: it ended (3).',
  );
  expect(format({ code: 'gone', parameters: { name: 'files', reason: [reason, 'x'] } })).toBe(
    'files is gone: it ended (3), x.',
  );
});

it('a message of another version, or one with other parameters, has no text', () => {
  const format = formatterOf({ gone: '{name} is gone.' }, 'en');
  expect(format({ code: 'other' })).toBeNull();
  expect(format({ code: 'toString' })).toBeNull();
  expect(format({ code: 'gone' })).toBeNull();
  expect(format({ code: 'gone', parameters: { name: { code: 'other' } } })).toBeNull();
  let nested: { code: string; parameters?: object } = { code: 'gone', parameters: { name: 'x' } };
  for (let depth = 0; depth < 100; depth += 1)
    nested = { code: 'gone', parameters: { name: nested } };
  expect(format(nested as never)).toBeNull();
});

it('the English text of a message is that of the catalog', () => {
  expect(textOf(msg('disk.full'))).toBe(english['disk.full']);
  expect(textOf('as it is')).toBe('as it is');
});

it.each([
  ['de-AT', 'Diese Unterhaltung gibt es nicht.'],
  ['zh', '没有这个会话。'],
  ['fr', 'English'],
])('a message is in the language that fits %s, or stays English', async (tag, text) => {
  const translate = await messagesFor(tag);
  expect(translate(msg('chat.conversationUnknown'), 'English')).toBe(text);
});
