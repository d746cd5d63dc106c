import { describe, expect, test } from 'vitest';
import { firstParagraph } from './first-paragraph.ts';
import { FrontMatterReader } from './front-matter.ts';

async function fields(header: string): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await FrontMatterReader.open()).read(`---\n${header}\n---\nBody\n`).fields,
  );
}

describe('the front matter of a Markdown file', () => {
  test.each<[string, string, Record<string, string>]>([
    ['plain lines', 'name: a\ndescription: Some text.', { name: 'a', description: 'Some text.' }],
    ['quotes', `name: "a"\ndescription: 'it: is'`, { name: 'a', description: 'it: is' }],
    ['quotes with escapes', String.raw`name: "a \"b\" \u00e9"`, { name: 'a "b" é' }],
    ['single quotes doubled', `name: 'it''s'`, { name: "it's" }],
    [
      'a folded text',
      'description: >-\n  One\n  two.\nname: a',
      { description: 'One two.', name: 'a' },
    ],
    ['a literal text', 'description: |\n  One\n  two.', { description: 'One\ntwo.' }],
    ['a text over two lines', 'description: One\n  two.', { description: 'One two.' }],
    ['a comment', 'name: a # not this', { name: 'a' }],
    ['no value', 'name:\ndescription: x', { name: '', description: 'x' }],
    ['numbers as written', 'name: 007\nversion: 1.10', { name: '007', version: '1.10' }],
    [
      'words that mean something',
      'name: yes\ndescription: null',
      { name: 'yes', description: 'null' },
    ],
    ['a list as written', 'argument-hint: [pr-number]', { 'argument-hint': '[pr-number]' }],
    ['two lists, which is no YAML', 'argument-hint: [a] [b]', { 'argument-hint': '[a] [b]' }],
    [
      'a list of lines',
      'tools:\n  - Read\n  - Edit\nname: a',
      { tools: '- Read\n  - Edit', name: 'a' },
    ],
    ['a key twice', 'name: a\nname: b', { name: 'a' }],
    ['a key twice, and YAML', 'name: a\nname: b\nx: |\n  y', { name: 'a', x: 'y' }],
    ['no fields', '', {}],
  ])('is read: %s', async (_, header, expected) => {
    expect(await fields(header)).toEqual(expected);
  });

  test.each<[string, string, Record<string, string>]>([
    [
      'a colon',
      'name: a\ndescription: Use for work: writing.',
      { name: 'a', description: 'Use for work: writing.' },
    ],
    [
      'a colon beside what only YAML can read',
      'name: a\ndescription: Use for work: writing.\ntools:\n  - Read\nmodel: "x"',
      { name: 'a', description: 'Use for work: writing.', tools: '- Read', model: 'x' },
    ],
    [
      'a quote that goes on',
      'description: "Do" the thing\nname: a',
      { description: '"Do" the thing', name: 'a' },
    ],
    ['a tag of HTML', 'description: %x <b>\nname: a', { description: '%x <b>', name: 'a' }],
    ['a tab', 'name: a\n\tdescription: b', { name: 'a description: b' }],
    [
      'a folded text with a colon',
      'description: >\n  One: two\n  three\nname: a: b',
      { description: 'One: two three', name: 'a: b' },
    ],
  ])('is read line by line if it is not valid YAML: %s', async (_, header, expected) => {
    expect(await fields(header)).toEqual(expected);
  });

  test('aliases are not followed', async () => {
    const header = `a: &a [x, x, x]\nb: &b [*a, *a, *a]\nname: *b\nc: [*b, *b]`;
    expect(await fields(header)).toEqual({ a: '[x, x, x]', b: '[*a, *a, *a]', c: '[*b, *b]' });
  });

  test('a byte order mark, carriage returns and leading empty lines are ignored', async () => {
    const { fields: found, body } = (await FrontMatterReader.open()).read(
      '\ufeff\r\n---\r\nname: a\r\ndescription: x\r\n---  \r\nBody\r\n',
    );
    expect([...found]).toEqual([
      ['name', 'a'],
      ['description', 'x'],
    ]);
    expect(body).toBe('\nBody\n');
  });

  test('fields without a closing line end at an empty line', async () => {
    const { fields: found, body } = (await FrontMatterReader.open()).read(
      '---\nname: a\n\nSome: text\n',
    );
    expect([...found]).toEqual([['name', 'a']]);
    expect(body).toContain('Some: text');
  });

  test('a text without fields is all body', async () => {
    const { fields: found, body } = (await FrontMatterReader.open()).read(
      '# Title\n\nText\n---\nname: a\n---\n',
    );
    expect(found.size).toBe(0);
    expect(body).toContain('# Title');
  });

  test.each([
    ['brackets', `a: |\n b\nc: ${'['.repeat(350)}`],
    ['flow maps', '{a: '.repeat(150)],
    ['many brackets', '['.repeat(8_000)],
    ['dashes', '- '.repeat(350)],
    ['levels', Array.from({ length: 120 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
    ['many keys', Array.from({ length: 3_000 }, (_, i) => `k${i}: |`).join('\n')],
    ['more than anybody writes', `name: a\n${'x: |\n y\n'.repeat(20_000)}`],
  ])('a header crafted to be slow or deeply nested does no harm: %s', async (_, header) => {
    const reader = await FrontMatterReader.open();
    const text = `---\n${header}\n---\nBody`;
    for (let i = 0; i < 3; i += 1) expect(reader.read(text).body.trim()).toBe('Body');
  });

  test('after a plugin has used up its YAML budget, its other files are read line by line', async () => {
    const reader = await FrontMatterReader.open();
    const text = `---\nname: "a\\tb"\nlist: [${'x,'.repeat(350)}]\n---\n`;
    const names = Array.from({ length: 150 }, () => reader.read(text).fields.get('name'));
    expect(names.at(0)).toBe('a\tb');
    expect(names.at(-1)).toBe('a\\tb');
  });
});

describe('the first paragraph', () => {
  test.each([
    ['is what stands for a description', 'Do this\nand that.\n\nMore.', 'Do this and that.'],
    ['is not a heading', '# Title\n\nDo this.', 'Do this.'],
    ['may follow its heading at once', '# Title\nDo this.', 'Do this.'],
    ['is not a comment or a rule', '<!-- x\n\ny -->\n\n---\n\nDo this.', 'Do this.'],
    ['is the heading when there is nothing else', '# The Title\n', 'The Title'],
    ['is empty for an empty text', '', ''],
  ])('%s', (_, text, expected) => {
    expect(firstParagraph(text)).toBe(expected);
  });

  test('is shortened', () => {
    const text = firstParagraph('word '.repeat(1_000));
    expect(text.length).toBeLessThanOrEqual(301);
    expect(text.endsWith('…')).toBe(true);
  });
});
