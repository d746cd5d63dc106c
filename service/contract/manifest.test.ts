import { valid } from 'semver';
import { describe, expect, it } from 'vitest';
import { PluginManifest } from './manifest.ts';

const parse = (fields: object) =>
  PluginManifest.safeParse({ id: 'a', name: 'A', version: '1.0.0', ...fields });

describe('a manifest', () => {
  it.each([
    '0.0.0',
    '1.2.3-alpha.1',
    '1.0.0-0a.-.x-y+001.sha',
    '999999999999999.0.0',
    '1.0.0-' + 'a'.repeat(250),
  ])('takes the version %s', (version) => {
    expect(valid(version)).not.toBeNull();
    expect(parse({ version }).success).toBe(true);
  });

  it.each([
    '1.0',
    '01.0.0',
    'v1.0.0',
    '1.0.0-01',
    '1.0.0-a..b',
    '1.0.0-.',
    '1.0.0+a..b',
    '1.0.0+',
    '99999999999999999999.0.0',
    '1.0.0-9999999999999999',
    '1.0.0\n',
  ])('refuses the version %j', (version) => {
    expect(parse({ version }).success).toBe(false);
    expect(parse({ minHostVersion: version }).success).toBe(false);
  });

  it('lists at most 500 methods, AI tools and workflow nodes each', () => {
    const tool = { name: 'a', description: 'd', method: 'm' };
    const node = { type: 't', tool: 'a', label: 'l', inputs: [], outputs: [] };
    const methods = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, {}]));
    const list = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
    const manifest = (count: number): object => ({
      methods: methods(count),
      aiTools: list(count, tool),
      flowNodes: list(count, node),
    });
    expect(parse(manifest(500)).success).toBe(true);
    expect(parse(manifest(501)).error?.issues).toMatchObject(
      ['methods', 'aiTools', 'flowNodes'].map((field) => ({ path: [field] })),
    );
  });
});
