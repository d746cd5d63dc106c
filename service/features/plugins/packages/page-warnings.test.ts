import { describe, expect, it } from 'vitest';
import { pageTags } from './page-tags.ts';
import { pageWarnings } from './page-warnings.ts';

const warned = (html: string): string[] =>
  pageWarnings('ui/index.html', html).map(
    ({ path, message }) => `${path} ${message.split(',')[0] ?? ''}`,
  );

describe('the warnings about a page', () => {
  it.each([
    ['<p>\n<script>go()</script>', ['ui/index.html:2 has an inline script']],
    ['<SCRIPT type="module">\n  go()</SCRIPT>', ['ui/index.html:1 has an inline script']],
    ['<script src="a.js"></script>\n<script> </script>', []],
    ['<p title="a > b"\n onclick="x">', ['ui/index.html:1 has an event attribute such as onclick']],
    ['<p title="1 <b" onclick=x>', ['ui/index.html:1 has an event attribute such as onclick']],
    ["<p don't>\n<p onclick=x>", ['ui/index.html:2 has an event attribute such as onclick']],
    ['<img src="https://a.test/x.png">', ['ui/index.html:1 loads something from another address']],
    [
      '<script src=//a.test/x.js></script>',
      ['ui/index.html:1 loads something from another address'],
    ],
    ['<link href="/a.css">', ['ui/index.html:1 has an address that starts with /']],
    ['<a href="https://a.test">1 < 2</a> <!-- <p onclick=x> -->', []],
    ['<style>a{content:"<p onclick=x>"}</style>', []],
  ])('name what is blocked, with its line: %s', (html, expected) => {
    expect(warned(html)).toEqual(expected);
  });

  // With a scan from each "<" to the end, any of these would take hours.
  it.each([
    '<script',
    '<script ',
    '<script>',
    '<a ',
    '<a on',
    '<a onx ',
    '<a b="',
    "<a b='",
    '<img src ',
    '<img src=',
    '<!--',
    '<style>',
    '< ',
    '= ',
  ])('take little time, however odd the page is: %s', (part) => {
    const html = part.repeat(Math.floor(1024 ** 2 / part.length));
    let read = 0;
    for (const { text } of pageTags(html)) read += text.length;
    expect(read).toBeLessThanOrEqual(html.length);
    expect(warned(html).length).toBeLessThan(5);
    const within = `<img ${html}>`;
    expect(warned(within).length).toBeLessThan(5);
  });
});
