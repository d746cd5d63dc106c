import { describe, expect, it } from 'vitest';
import { judgeCall, judgeCommand } from '../../../testing/judge-calls.ts';
import { checkRules } from './check-rules.ts';
import { allowsText, commandPattern } from './command-pattern.ts';
import { escapeGlob, globOf, matchesGlob } from './glob.ts';
import { textOf } from '../../../messages/index.ts';

describe('A list of rules', () => {
  it('is read line by line; comments and empty lines are ignored [PERMISSION-08]', () => {
    const text =
      '# mine\n\nCommand(git status)\r\n  Tool(browser_*)  \nEffect(read)\nBash(ls:*)\nBash';
    const { rules, problems } = checkRules(
      `${text}\nMcp(files__*)\nmcp__files\nmcp__files__read\nWebFetch(domain:Example.COM)`,
    );
    expect(problems).toEqual([]);
    expect(rules.map(({ kind }) => kind)).toEqual([
      ...['command', 'tool', 'effect', 'command', 'command', 'mcp', 'mcp', 'mcp', 'webFetch'],
    ]);
    expect(rules.map((rule) => rule.text)).toContain('Tool(browser_*)');
  });

  it('reports every invalid line with its number', () => {
    const bad = [
      ...['git status', 'Command()', 'Command( )', 'Commands(ls)', 'Effect(reads)', 'Mcp(*__x)'],
      ...[
        'WebFetch(example.com)',
        'WebFetch(domain:https://a/b)',
        'Command(ls',
        'WebFetch(domain:)',
      ],
    ];
    const { rules, problems } = checkRules(`Tool(a)\n${bad.join('\n')}`);
    expect(rules).toHaveLength(1);
    expect(problems.map(({ line, text }) => [line, text])).toEqual(
      bad.map((text, index) => [index + 2, text]),
    );
    for (const { message } of problems) expect(textOf(message)).toMatch(/\S.*\.$/);
  });

  it('that contains only an invalid line still counts as a deny rule', async () => {
    const result = await judgeCommand('$X', { deny: ['no rule'] }, { mode: 'full-access' });
    expect(result).toMatchObject({ verdict: 'ask' });
    expect(await judgeCommand('$X', {}, { mode: 'full-access' })).toMatchObject({
      verdict: 'allow',
    });
  });
});

describe('A rule', () => {
  it('made from a text matches that text, whatever it contains', () => {
    for (const text of [
      'a',
      'a*b',
      String.raw`a \* b`,
      'a:*',
      'x \\',
      '*',
      'f (x) "y"',
      'a *',
      '\\\\*',
    ])
      expect(allowsText(commandPattern(escapeGlob(text)), text), text).toBe(true);
    expect(allowsText(commandPattern(escapeGlob('a*b')), 'axb')).toBe(false);
  });

  it('matches with wildcards at the start, in the middle and at the end', () => {
    const hits = (pattern: string, text: string): boolean => matchesGlob(globOf(pattern), text);
    expect(['a*', '*c', 'a*c', '*b*', '*', 'abc'].every((one) => hits(one, 'abc'))).toBe(true);
    expect(['b*', '*b', 'a*bc*c', 'ab', ''].some((one) => hits(one, 'abc'))).toBe(false);
  });

  it('is matched in time proportional to the length of the text', () => {
    const started = performance.now();
    expect(matchesGlob(globOf(`${'*a'.repeat(50)}*b`), 'a'.repeat(100_000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it.each([
    ['Tool(acme_*)', { tool: 'acme_save' }, true],
    ['Tool(acme_*)', { tool: 'other_acme_save' }, false],
    ['Effect(write)', { tool: 'x', effect: 'write' }, true],
    ['Effect(external)', { tool: 'x' }, true],
    ['Effect(external)', { tool: 'x', effect: 'READ_ONLY' }, true],
    ['Effect(read)', { tool: 'x', effect: 'write' }, false],
    ['mcp__a', { tool: 'mcp__a__b' }, true],
    ['Mcp(a__*)', { tool: 'mcp__a__b' }, true],
    ['Mcp(a)', { tool: 'mcp__a__b' }, true],
    ['mcp__a__b', { tool: 'mcp__a__b' }, true],
    ['mcp__a__b', { tool: 'mcp__a__c' }, false],
    ['mcp__a', { tool: 'mcp__ab__c' }, false],
    ['mcp__a', { tool: 'mcp__a__b__c', server: 'a' }, true],
    ['mcp__a', { tool: 'mcp__a__b__c', server: 'a__b' }, false],
    ['mcp__a', { tool: 'acme_mcp__a__b' }, false],
  ])('%s and %j: %s [PERMISSION-10, PERMISSION-11, PERMISSION-12]', async (rule, call, hit) => {
    const result = await judgeCall({ arguments: {}, ...call }, { deny: [rule] });
    expect(result.verdict === 'deny').toBe(hit);
    if (hit) expect(result.reason).toContain(rule);
  });

  it('for a server does not allow a tool that may belong to another one', async () => {
    const call = { tool: 'mcp__a__b__c', arguments: {} };
    expect(await judgeCall(call, { allow: ['mcp__a'] })).toMatchObject({ verdict: 'ask' });
    expect(await judgeCall(call, { deny: ['mcp__a'] })).toMatchObject({ verdict: 'deny' });
  });

  it.each([
    ['example.com', 'https://example.com/', 'deny'],
    ['example.com', 'https://a.b.example.com/', 'deny'],
    ['example.com', 'https://EXAMPLE.com.:8443/', 'deny'],
    ['example.com', 'https://notexample.com/', 'allow'],
    ['example.com', 'https://example.com.evil.test/', 'allow'],
    ['*.example.com', 'https://example.com/', 'allow'],
    ['*.example.com', 'https://a.example.com/', 'deny'],
    ['*', 'http://anything.test/', 'deny'],
    ['127.0.0.1', 'http://2130706433/', 'deny'],
    ['example.com', 'https://user@other.test/', 'deny'],
    ['example.com', 'not an address', 'ask'],
    ['example.com', 'file:///etc/passwd', 'ask'],
  ])(
    'WebFetch(domain:%s) as a deny rule and %s: %s [PERMISSION-13]',
    async (domain, url, verdict) => {
      const call = { tool: 'web_fetch', arguments: { url }, effect: 'read' };
      const result = await judgeCall(call, { deny: [`WebFetch(domain:${domain})`] });
      expect(result.verdict).toBe(verdict);
    },
  );
});
