import { describe, expect, it } from 'vitest';
import type { Client } from '../../service/client/index.ts';
import { createPluginIcons, type IconOwner } from './plugin-icons.ts';

const plugin: IconOwner = {
  id: 'com.example.drawn',
  name: 'Drawn',
  icon: 'ui/icon.svg',
  installed: true,
  enabled: true,
  installedVersion: '1.0.0',
};

/** Returns the icons of a host that answers each file with `content`. */
function iconsOf(content: Blob | null) {
  const asked: string[] = [];
  const open = (_endpoint: unknown, { params }: { params: { id: string; file: string[] } }) => {
    asked.push(`${params.id}/${params.file.join('/')}`);
    return content === null ? Promise.reject(new Error('404')) : Promise.resolve(reply(content));
  };
  const reply = (blob: Blob): Response => new Response(blob);
  return { asked, icons: createPluginIcons({ open } as unknown as Client) };
}

const svg = new Blob(['<svg/>'], { type: 'image/svg+xml' });

describe('the icon of a plugin', () => {
  it('is fetched once per version, wherever it is shown', async () => {
    const { icons, asked } = iconsOf(svg);
    const first = await icons.find(plugin);
    expect(first).toMatch(/^blob:/);
    expect(await icons.find({ ...plugin, icon: 'icon.svg' })).toBe(first);
    expect(asked).toEqual(['com.example.drawn/icon.svg']);
    expect(await icons.find({ ...plugin, installedVersion: '1.1.0' })).not.toBe(first);
    icons.close();
  });

  it.each([
    ['is no image', new Blob(['<script>'], { type: 'text/html' })],
    ['is too large', new Blob(['x'.repeat(256 * 1024 + 1)], { type: 'image/png' })],
    ['cannot be had', null],
  ])('is left out where the file %s', async (_, content) => {
    expect(await iconsOf(content).icons.find(plugin)).toBeNull();
  });

  it.each<[string, Partial<IconOwner>]>([
    ['a word', { icon: 'text' }],
    ['an address', { icon: 'https://example.com/icon.svg' }],
    ['that of one that is not installed', { installed: false }],
    ['that of one that is disabled', { enabled: false }],
  ])('is not asked for when it is %s', async (_, change) => {
    const { icons, asked } = iconsOf(svg);
    expect(await icons.find({ ...plugin, ...change })).toBeNull();
    expect(asked).toEqual([]);
  });
});
