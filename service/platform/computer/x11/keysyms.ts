const firstF = 0xff_be;

const named: Record<string, number | undefined> = {
  Enter: 0xff_0d,
  Tab: 0xff_09,
  Backspace: 0xff_08,
  Delete: 0xff_ff,
  Insert: 0xff_63,
  Escape: 0xff_1b,
  Home: 0xff_50,
  End: 0xff_57,
  PageUp: 0xff_55,
  PageDown: 0xff_56,
  ArrowLeft: 0xff_51,
  ArrowUp: 0xff_52,
  ArrowRight: 0xff_53,
  ArrowDown: 0xff_54,
  Space: 0x20,
  CapsLock: 0xff_e5,
  Shift: 0xff_e1,
  Control: 0xff_e3,
  Alt: 0xff_e9,
  Meta: 0xff_eb,
  ContextMenu: 0xff_67,
  ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`F${at + 1}`, firstF + at])),
};

/** Keysym of a key, by its name on the web platform, or of a character. */
export const keysymOf = (name: string): number => named[name] ?? keysymOfCharacter(name);

const lastLatin1 = 0xff;
/** Added to the code point of a character outside Latin-1. */
export const unicodeBase = 0x1_00_00_00;

function keysymOfCharacter(character: string): number {
  if (character === '\n') return 0xff_0d;
  if (character === '\t') return 0xff_09;
  const code = character.codePointAt(0) ?? 0;
  return code <= lastLatin1 ? code : unicodeBase + code;
}
