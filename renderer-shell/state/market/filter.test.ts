import { describe, expect, it } from 'vitest';
import { addPlugin, createFakeHost } from '../../testing/fake-host.ts';
import { countsOf, filtered, isFiltered, noFilter } from './filter.ts';

const host = createFakeHost();
const words = addPlugin(host, 'acme.words', {
  name: 'Words',
  description: 'Counts letters.',
  category: 'text',
  sourceId: 'one',
  keywords: ['prose'],
  installed: true,
});
const swords = addPlugin(host, 'acme.swords', {
  name: 'Swords',
  description: 'Draws them.',
  category: 'other',
  author: 'Ann',
  sourceId: 'two',
  installed: false,
});
const letters = addPlugin(host, 'acme.letters', {
  name: 'Letters',
  description: 'Finds words.',
  category: 'text',
  sourceId: 'one',
  installed: false,
});
const all = [words, swords, letters];
const ids = (...parts: Parameters<typeof filtered>): string[] =>
  filtered(...parts).map(({ id }) => id.replace('acme.', ''));

describe('the plugins that match a filter', () => {
  it('are all plugins by name without a filter', () => {
    expect(ids(all, noFilter)).toEqual(['letters', 'swords', 'words']);
    expect(isFiltered(noFilter)).toBe(false);
  });

  it('contain every word of the query, matches at the start of the name first', () => {
    expect(ids(all, { ...noFilter, query: ' WORDS ' })).toEqual(['words', 'swords', 'letters']);
    expect(ids(all, { ...noFilter, query: 'prose count' })).toEqual(['words']);
    expect(ids(all, { ...noFilter, query: 'ann' })).toEqual(['swords']);
    expect(ids(all, { ...noFilter, query: 'acme.let' })).toEqual(['letters']);
    expect(ids(all, { ...noFilter, query: 'words ann prose' })).toEqual([]);
    expect(isFiltered({ ...noFilter, query: ' ' })).toBe(false);
  });

  it('can be filtered by source, category and installation', () => {
    expect(ids(all, { ...noFilter, sourceId: 'one' })).toEqual(['letters', 'words']);
    expect(ids(all, { ...noFilter, category: 'other' })).toEqual(['swords']);
    expect(ids(all, { ...noFilter, sourceId: 'one', installed: true })).toEqual(['words']);
    expect(isFiltered({ ...noFilter, category: 'text' })).toBe(true);
  });
});

it('are counted by filter, the largest categories first', () => {
  const counts = countsOf(all);
  expect(counts).toMatchObject({ all: 3, installed: 1 });
  expect([...counts.bySource]).toEqual([
    ['one', 2],
    ['two', 1],
  ]);
  expect(counts.byCategory).toEqual([
    ['text', 2],
    ['other', 1],
  ]);
});
