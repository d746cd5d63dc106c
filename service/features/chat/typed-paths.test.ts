import { expect, it } from 'vitest';
import { typedPaths } from './typed-paths.ts';

it.each([
  ['look at /etc/hosts please', ['/etc/hosts']],
  ['what is in /var/log/syslog, and in /tmp?', ['/var/log/syslog', '/tmp']],
  ['read "/home/me/my notes.txt" and \'/a b/c\'', ['/home/me/my notes.txt', '/a b/c']],
  ['`/opt/x`', ['/opt/x']],
  ['(/opt/x)', ['/opt/x']],
  ['https://example.com/a/b and a/b/c and 3/4', []],
  ['/', []],
  ['/a /a /a', ['/a']],
  ['', []],
])('takes the absolute paths from %j', (text, paths) => {
  expect(typedPaths(text, 'linux')).toEqual(paths);
});

it('paths on Windows start with a drive', () => {
  expect(typedPaths('see C:\\Users\\me\\a.txt and /etc/hosts', 'win32')).toEqual([
    'C:\\Users\\me\\a.txt',
  ]);
});

it('only the first of many paths are used', () => {
  const text = Array.from({ length: 100 }, (_, index) => `/p${index}`).join(' ');
  expect(typedPaths(text, 'linux')).toHaveLength(20);
});
