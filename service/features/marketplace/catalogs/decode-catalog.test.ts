import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeCatalog } from './decode-catalog.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('the bytes of a catalog', () => {
  test.each([
    ['plain', '{"plugins":[]}'],
    ['with a byte order mark', '\ufeff{"plugins":[]}'],
    ['with blanks around them', ' \r\n{"plugins":[]}\n'],
  ])('%s are read', (_what, text) => {
    expect(decodeCatalog(bytes(text))).toEqual({ plugins: [] });
  });

  test.each<[string, Uint8Array, string]>([
    ['nothing', bytes(''), 'is empty'],
    ['blanks', bytes(' \n'), 'is empty'],
    ['a web page', bytes('\n<!DOCTYPE html><html></html>'), 'is a web page'],
    ['UTF-16', new Uint8Array(Buffer.from('\ufeff{}', 'utf16le')), 'is not text in UTF-8'],
    ['Latin-1', new Uint8Array(Buffer.from('{"a":"é"}', 'latin1')), 'is not text in UTF-8'],
    ['gzip', gzipSync('{"plugins":[]}'), 'is compressed'],
    ['a zip archive', bytes('PK\u0003\u0004'), 'is an archive or a package'],
    [
      'a Git LFS pointer',
      bytes('version https://git-lfs.github.com/spec/v1\n'),
      'is only a pointer to Git LFS',
    ],
    ['an open object', bytes('{"plugins":\n[}'), 'is not valid JSON'],
    ['text behind it', bytes('{"plugins":[]} x'), 'is not valid JSON'],
    ['65 levels', bytes(nested(65)), 'is nested more than 64 levels deep'],
    ['a million levels', bytes(nested(1_000_000)), 'is nested more than 64 levels deep'],
    ['too many values', bytes(`[${'1,'.repeat(2_000_001)}1]`), 'has more than 2000000 values'],
  ])('that are %s are refused', (_what, content, reason) => {
    expect(() => decodeCatalog(content)).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        code: 'invalid_catalog',
        message: `There is no catalog at this address: the document ${reason}. Check the address.`,
      }),
    );
  });

  test('may be nested 64 levels deep', () => {
    expect(decodeCatalog(bytes(nested(64)))).toHaveLength(1);
  });

  test('cannot change the prototypes of other objects', () => {
    decodeCatalog(bytes('{"__proto__":{"polluted":1}}'));
    expect({}).not.toHaveProperty('polluted');
  });
});
