import { describe, expect, it } from 'vitest';
import { parseTarget } from './target.ts';

describe('the request target', () => {
  it.each([
    ['/api/settings', '/api/settings', ''],
    ['/api/x?a=1&b=..%2f', '/api/x', 'a=1&b=..%2f'],
    ['/plugin-runtime/p1/a%20b.css', '/plugin-runtime/p1/a%20b.css', ''],
    ['/plugin-runtime/p1/100%25.css', '/plugin-runtime/p1/100%25.css', ''],
    ['/a/..b/c..', '/a/..b/c..', ''],
  ])('%s is read as it stands', (target, path, query) => {
    expect(parseTarget(target)).toEqual({ path, query });
  });

  it.each([
    'http://127.0.0.1/api/health',
    '*',
    'api/health',
    '',
    '/a/../b',
    '/a/.',
    '/..',
    '/a/%2e%2e/b',
    '/a/%2E/b',
    '/a/.%2e/b',
    '//api/settings',
    '/api//settings',
    '/a\\b',
    '/a%5cb',
    '/a%2Fb',
    '/a%00',
    '/a%252e',
    '/a%25%32%66',
    '/a%25252e',
    '/%2e%2e',
    '/%c0%ae%c0%ae/b',
    '/a%ff',
    '/a%ed%a0%80',
    '/a%zz',
    '/a%c3',
    '/a b',
    '/\u00e9',
    '/a#b',
  ])('%s is refused', (target) => {
    expect(parseTarget(target)).toBeNull();
  });
});
