import { describe, expect, it } from 'vitest';
import { formulaOf, markFormulas } from './formulas.ts';

/** Returns the formulas in a text, each as `i:` or `d:` followed by its TeX. */
const formulasIn = (text: string): string[] =>
  [...markFormulas(text).matchAll(/(`+)(\uE000[^]*?\uE000)\1/g)].map(([, , code = '']) => {
    const formula = formulaOf(code);
    return formula === null ? 'none' : `${formula.display ? 'd' : 'i'}:${formula.tex}`;
  });

describe('formulas of a text', () => {
  it('are inline or separate, and are protected from Markdown', () => {
    expect(formulasIn('Let $a_1 * b_2 * c$ and $\\{x\\}$.')).toEqual([
      'i:a_1 * b_2 * c',
      'i:\\{x\\}',
    ]);
    expect(formulasIn('$$\nx = 1 % first\n+ 2\n$$')).toEqual(['d:x = 1 + 2']);
    expect(formulasIn('> $$\n> a > b\n> $$')).toEqual(['d:a > b']);
    expect(formulasIn('| $|x|$ | b |')).toEqual(['i:|x|']);
    expect(markFormulas('| $|x|$ | b |').match(/\|/g)).toHaveLength(3);
    expect(formulasIn('$`$ and more')).toEqual(['i:`']);
  });

  it('exclude amounts of money, code, escaped signs and unclosed delimiters', () => {
    const plain = [
      'It costs $5 and $10.',
      'From $5-$10 a month',
      '`$a$` and ``$b` $c$``',
      'an \\$x\\$ that is escaped',
      'open $x + 1',
      '$ x $',
      '$a\n\nb$',
      '$$',
    ];
    for (const text of plain) expect(markFormulas(text)).toBe(text);
  });

  it('are not confused with other code', () => {
    expect(formulaOf('const a = 1')).toBeNull();
    expect(formulaOf('\uE000')).toBeNull();
  });
});
