import type { Session } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeSession, resetElectron } from '../testing/stand-in/electron.ts';
import { guardSession } from './guards.ts';
import { contextMenuOf } from './context-menu.ts';
import { routeIn, routeOfLink } from './deep-links.ts';
import { followSpelling } from './spelling.ts';
import { readLanguage } from './desktop-text.ts';

vi.mock('electron', () => import('../testing/stand-in/electron.ts'));

beforeEach(resetElectron);

const editFlags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
const nothing = {
  editFlags,
  isEditable: false,
  selectionText: '',
  linkURL: '',
  misspelledWord: '',
  dictionarySuggestions: [],
};
const calls: unknown[] = [];
const menuOf = (params: object, language = 'en', inspects = false) =>
  contextMenuOf({ ...nothing, ...params } as never, language, {
    replaceWith: (word) => calls.push(['replace', word]),
    learn: (word) => calls.push(['learn', word]),
    copy: (text) => calls.push(['copy', text]),
    inspect: inspects ? () => calls.push(['inspect']) : null,
  });
const labels = (...args: Parameters<typeof menuOf>) =>
  menuOf(...args).map(({ label, type }) => label ?? type);

describe('the context menu', () => {
  it.each([
    ['nothing', {}, []],
    ['a text', { selectionText: 'text' }, ['Copy']],
    ['a field', { isEditable: true }, ['Cut', 'Copy', 'Paste', 'Select all']],
    ['a link', { linkURL: 'https://example.org/' }, ['Copy link address']],
    ['a link into the shell', { linkURL: 'app://shell/#/chat' }, []],
    [
      'a word of a field',
      { isEditable: true, misspelledWord: 'wrod', dictionarySuggestions: ['word', 'rod'] },
      ['word', 'rod', 'Add to dictionary', 'separator', 'Cut', 'Copy', 'Paste', 'Select all'],
    ],
  ])('offers for %s what can be done with it', (_, params, expected) => {
    expect(labels(params)).toEqual(expected);
  });

  it('speaks Chinese, and inspects in development alone', async () => {
    await readLanguage('zh-CN');
    expect(labels({ selectionText: 'a' }, 'zh-CN')).toEqual(['复制']);
    expect(labels({}, 'en', true)).toEqual(['Inspect']);
  });

  it('does what it says', () => {
    calls.length = 0;
    const word = { isEditable: true, misspelledWord: 'wrod', dictionarySuggestions: ['word'] };
    const menu = [...menuOf(word), ...menuOf({ linkURL: 'https://example.org/a' })];
    for (const { click } of menu) (click as (() => void) | undefined)?.();
    expect(calls).toEqual([
      ['replace', 'word'],
      ['learn', 'wrod'],
      ['copy', 'https://example.org/a'],
    ]);
  });

  it('leaves out of use what cannot be done now', () => {
    const flags = { ...editFlags, canPaste: false };
    const paste = menuOf({ isEditable: true, editFlags: flags }).find(
      ({ role }) => role === 'paste',
    );
    expect(paste?.enabled).toBe(false);
  });
});

describe('spelling', () => {
  it('is not checked, and no dictionary is fetched, until a person says so', () => {
    const session = new FakeSession();
    guardSession(session as unknown as Session);
    const off = { enabled: process.platform === 'darwin', languages: [] as string[] };
    if (process.platform !== 'darwin') expect(session.spellChecker).toEqual(off);
    followSpelling(session as unknown as Session, true, 'linux');
    expect(session.spellChecker).toEqual({ enabled: true, languages: ['en-US'] });
    followSpelling(session as unknown as Session, false, 'win32');
    expect(session.spellChecker).toEqual({ enabled: false, languages: [] });
  });
});

describe('a link to the app', () => {
  it.each([
    ['plugin-host://install?plugin=acme.words', '/store/acme.words'],
    ['PLUGIN-HOST://install/?plugin=a%2Fb', '/store/a%2Fb'],
    ['plugin-host://install?plugin=acme.words&token=x', '/store/acme.words'],
    ['plugin-host://install', null],
    ['plugin-host://install?plugin=', null],
    ['plugin-host://install?plugin=~sources', null],
    ['plugin-host://install?plugin=%00', null],
    ['plugin-host://uninstall?plugin=acme.words', null],
    ['plugin-host://install/run?plugin=acme.words', null],
    ['plugin-host://a@install?plugin=acme.words', null],
    ['plugin-host:install?plugin=acme.words', null],
    [`plugin-host://install?plugin=${'a'.repeat(3_000)}`, null],
    ['https://install/?plugin=acme.words', null],
  ])('%s leads to %s', (link, target) => {
    expect(routeOfLink(link)).toBe(target);
  });

  it('is found among other arguments', () => {
    const link = 'plugin-host://install?plugin=acme.words';
    expect(routeIn(['electron', '--a', link])).toBe('/store/acme.words');
    expect(routeIn(['electron', '/a.plugin'])).toBeNull();
  });
});
