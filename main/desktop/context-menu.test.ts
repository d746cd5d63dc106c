import type { App, Session } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { app, asked, emitReady, resetElectron, session } from '../testing/stand-in/electron.ts';
import { guardPages } from './guards.ts';
import { contextMenuOf } from './context-menu.ts';
import { pluginIn, pluginOfLink } from './deep-links.ts';
import { registerLinks } from './register-links.ts';
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
  ])('offers the actions for %s', (_, params, expected) => {
    expect(labels(params)).toEqual(expected);
  });

  it('speaks Chinese, and inspects in development alone', async () => {
    await readLanguage('zh-CN');
    expect(labels({ selectionText: 'a' }, 'zh-CN')).toEqual(['复制']);
    expect(labels({}, 'en', true)).toEqual(['Inspect']);
  });

  it('performs the chosen action', () => {
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

  it('disables unavailable actions', () => {
    const flags = { ...editFlags, canPaste: false };
    const paste = menuOf({ isEditable: true, editFlags: flags }).find(
      ({ role }) => role === 'paste',
    );
    expect(paste?.enabled).toBe(false);
  });
});

describe('spelling', () => {
  const fromOutside = () => asked.dictionaries.filter((address) => /^https?:/.test(address));
  const follow = (mayDownload: boolean, language: string) =>
    followSpelling(
      session.defaultSession as unknown as Session,
      { mayDownload, language },
      'linux',
    );
  beforeEach(() => {
    guardPages(
      app as unknown as App,
      () => '',
      () => undefined,
    );
    emitReady();
    follow(false, 'en');
  });

  it('is off, and no dictionary is downloaded, until a person agrees', async () => {
    session.fromPartition('of-models');
    await Promise.resolve();
    // Electron requests a dictionary by itself for every session.
    expect(asked.dictionaries.length).toBeGreaterThan(0);
    expect(fromOutside()).toEqual([]);
    expect(session.defaultSession.spellChecker).toEqual({ enabled: false, languages: [] });
  });

  it.each([
    ['en', ['en-US']],
    ['zh-CN', ['en-US']],
    ['de', ['de', 'en-US']],
  ])('is then checked in the language of the app, %s', async (language, languages) => {
    follow(true, language);
    session.fromPartition('of-models');
    await Promise.resolve();
    expect(session.defaultSession.spellChecker).toEqual({ enabled: true, languages });
    const server = 'https://redirector.gvt1.com/edgedl/chrome/dict/';
    for (const one of languages) expect(fromOutside()).toContain(`${server}${one}.bdic`);
    follow(false, language);
    asked.dictionaries.length = 0;
    session.fromPartition('of-others');
    await Promise.resolve();
    expect(session.defaultSession.spellChecker).toEqual({ enabled: false, languages: [] });
    expect(fromOutside()).toEqual([]);
  });
});

describe('a link to the app', () => {
  it.each([
    ['plugin-host://install?plugin=acme.words', 'acme.words'],
    ['PLUGIN-HOST://install/?plugin=a%2Fb', 'a/b'],
    ['plugin-host://install?plugin=acme.words&token=x', 'acme.words'],
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
  ])('%s offers %s', (link, plugin) => {
    expect(pluginOfLink(link)).toBe(plugin);
  });

  it('is found among other arguments', () => {
    const link = 'plugin-host://install?plugin=acme.words';
    expect(pluginIn(['electron', '--a', link])).toBe('acme.words');
    expect(pluginIn(['electron', '/a.plugin'])).toBeNull();
  });

  it.each([
    ['win-setup', ['plugin-host']],
    ['win-zip', []],
    ['deb', []],
    ['dev', []],
  ] as const)(
    'is opened with %s as the package declares, and by the app if it cannot',
    (kind, labels) => {
      registerLinks(kind);
      expect(asked.linkSchemes).toEqual(labels);
    },
  );
});
