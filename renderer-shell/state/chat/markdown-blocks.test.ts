import { describe, expect, it } from 'vitest';
import type { MarkdownBlocks } from './markdown-blocks.ts';
import { codePieces, fenced, markdownBlocks, sectionsOf } from './markdown-blocks.ts';

const answer = `# Heading
Setext
======

- one
- 
- two

  more of two
    - inside

1. first

   \`\`\`ts
   const a = 1;

   const b = 2;
   \`\`\`
2. second

> quoted
lazily
>
> - listed

| a | b |
|---|---|
| 1 | 2 |

\`\`\`python title="x"
def f():

    return "# no heading"
\`\`\`

    indented

    code

<div>

html
</div>

***
A [link][a] and text
goes on.

[a]: https://example.com

~~~
open to the end
- x
`;

describe('the blocks of a text that grows', () => {
  it.each([1, 3, 17])('match those of the complete text, %i characters at a time', (step) => {
    let now: MarkdownBlocks | null = null;
    for (let end = step; end < answer.length + step; end += step) {
      const text = answer.slice(0, end);
      now = markdownBlocks(text, now);
      expect(now.blocks).toEqual(markdownBlocks(text, null).blocks);
    }
  });

  it('contain the complete text', () => {
    const all = markdownBlocks(answer, null).blocks.map(({ raw }) => raw);
    expect(all.length).toBeGreaterThan(20);
    expect(all.join('').replaceAll(/\s/g, '')).toBe(answer.replaceAll(/\s/g, ''));
  });

  it('stay the same objects once they are closed', () => {
    const before = markdownBlocks('one\n\ntwo\n\nthree\n\nfour', null);
    const after = markdownBlocks('one\n\ntwo\n\nthree\n\nfour and more', before);
    expect(after.blocks[0]).toBe(before.blocks[0]);
    expect(after.blocks.at(-1)?.raw).toBe('four and more');
  });

  it('are parsed again for a different text', () => {
    const before = markdownBlocks('one\n\ntwo\n\nthree', null);
    expect(markdownBlocks('two\n\ntwo\n\nthree', before).blocks[0]?.raw).toBe('two');
  });

  it('contain their code and its language', () => {
    const { blocks } = markdownBlocks('```js title="x"\r\nlet a;\r\nlet b;', null);
    expect(blocks[0]?.code).toEqual({ language: 'js', text: 'let a;\nlet b;' });
  });
});

it('a long answer has sections, and only the last two change while it grows', () => {
  const text = Array.from({ length: 40 }, (_, index) => `Part ${index}.\n\n`);
  const before = markdownBlocks(text.slice(0, 30).join(''), null);
  const now = markdownBlocks(text.join(''), before);
  const [then, later] = [sectionsOf(before.blocks, 8), sectionsOf(now.blocks, 8)];
  expect(later.length).toBeGreaterThan(then.length);
  expect(later.flat()).toEqual(now.blocks);
  for (const [index, section] of then.slice(0, -2).entries())
    expect(section.every((block, at) => block === later[index]?.[at])).toBe(true);
});

describe('long code', () => {
  it('is split into pieces, and only the last one changes while it grows', () => {
    expect(codePieces('a\nb\nc', 2)).toEqual(['a\nb\n', 'c']);
    expect(codePieces('a\nb\nc\nd\n', 2)).toEqual(['a\nb\n', 'c\nd\n']);
    expect(codePieces('', 2)).toEqual(['']);
  });

  it('may contain its own delimiter', () => {
    const code = '```\n````js\n';
    expect(markdownBlocks(fenced(code, 'md'), null).blocks[0]?.code).toEqual({
      language: 'md',
      text: '```\n````js',
    });
  });
});

it('a formula between lines of dollar signs is one block, even with empty lines or while incomplete', () => {
  const formula = '$$\na = 1\n\n- b\n$$\n';
  const sourcesOf = (text: string) =>
    markdownBlocks(text, null).blocks.map(({ raw }) => raw.trim());
  expect(sourcesOf(`Text\n${formula}\nmore`)).toEqual(['Text', formula.trim(), 'more']);
  expect(sourcesOf('Text\n\n$$\na\n\nb\n\nc\n\nd').at(-1)).toBe('$$\na\n\nb\n\nc\n\nd');
  expect(sourcesOf('It costs $$ much')).toEqual(['It costs $$ much']);
});
