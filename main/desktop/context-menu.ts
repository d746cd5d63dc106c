import {
  app,
  type BrowserWindow,
  clipboard,
  type ContextMenuParams,
  Menu,
  type MenuItemConstructorOptions,
} from 'electron';
import { desktopTexts } from './desktop-text.ts';

const mostSuggestions = 5;

/** Actions of the entries. */
export interface ContextMenuWishes {
  replaceWith: (word: string) => void;
  learn: (word: string) => void;
  copy: (text: string) => void;
  /** Null if the page may not be inspected. */
  inspect: (() => void) | null;
}

/** Shows a context menu with the actions for the element under the pointer. */
export function showContextMenus(window: BrowserWindow, language: () => string): void {
  const { webContents } = window;
  webContents.on('context-menu', (_event, params) => {
    const template = contextMenuOf(params, language(), {
      replaceWith: (word) => webContents.replaceMisspelling(word),
      learn: (word) => void webContents.session.addWordToSpellCheckerDictionary(word),
      copy: (text) => void clipboard.writeText(text),
      inspect: app.isPackaged ? null : () => webContents.inspectElement(params.x, params.y),
    });
    if (template.length === 0) return;
    const { frame } = params;
    Menu.buildFromTemplate(template).popup(frame ? { window, frame } : { window });
  });
}

/** Returns the entries of the menu; empty if no action fits. */
export function contextMenuOf(
  params: ContextMenuParams,
  language: string,
  wishes: ContextMenuWishes,
): MenuItemConstructorOptions[] {
  const text = desktopTexts(language);
  const { linkURL } = params;
  const groups: MenuItemConstructorOptions[][] = [
    spelling(params, language, wishes),
    edits(params, language),
    isForeign(linkURL)
      ? [{ label: text('desktop.copyLink'), click: () => wishes.copy(linkURL) }]
      : [],
    wishes.inspect ? [{ label: text('desktop.inspect'), click: wishes.inspect }] : [],
  ];
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, index) => (index === 0 ? group : [{ type: 'separator' as const }, ...group]));
}

/** Links into the shell have an address that no other program can open. */
const isForeign = (address: string): boolean => /^(https?|mailto):/i.test(address);

function spelling(
  { isEditable, misspelledWord, dictionarySuggestions }: ContextMenuParams,
  language: string,
  { replaceWith, learn }: ContextMenuWishes,
): MenuItemConstructorOptions[] {
  if (!isEditable || misspelledWord === '') return [];
  const text = desktopTexts(language);
  const found = dictionarySuggestions.slice(0, mostSuggestions);
  const suggestions = found.map((label) => ({ label, click: () => replaceWith(label) }));
  const none = [{ label: text('desktop.noSuggestions'), enabled: false }];
  const add = { label: text('desktop.addToDictionary'), click: () => learn(misspelledWord) };
  return [...(suggestions.length > 0 ? suggestions : none), add];
}

function edits(
  { isEditable, selectionText, editFlags }: ContextMenuParams,
  language: string,
): MenuItemConstructorOptions[] {
  const text = desktopTexts(language);
  const { canCut, canCopy, canPaste, canSelectAll } = editFlags;
  const copy: MenuItemConstructorOptions = {
    role: 'copy',
    label: text('desktop.copy'),
    enabled: canCopy,
  };
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy];
  return [
    { role: 'cut', label: text('desktop.cut'), enabled: canCut },
    copy,
    { role: 'paste', label: text('desktop.paste'), enabled: canPaste },
    { role: 'selectAll', label: text('desktop.selectAll'), enabled: canSelectAll },
  ];
}
