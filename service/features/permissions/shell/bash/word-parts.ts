import { unknownPart } from '../segment.ts';

/** The parts of a word that is being read. */
export interface Parts {
  value: string;
  expanded: boolean;
  glob: boolean;
  braces: boolean;
  /** True if it may expand to several words. */
  split: boolean;
  firstIsOpen: boolean;
  quoted: boolean;
  continued: boolean;
}

export function newParts(): Parts {
  return {
    value: '',
    expanded: false,
    glob: false,
    braces: false,
    split: false,
    firstIsOpen: false,
    quoted: false,
    continued: false,
  };
}

/** Returns true if the unknown part of the word may contain an option. */
export function mayHideOption({ value, firstIsOpen, split, expanded, glob }: Parts): boolean {
  if (firstIsOpen || split) return true;
  if (!expanded && !glob) return false;
  const literalStart = value.split(unknownPart, 1)[0] ?? '';
  return literalStart.startsWith('-') && !literalStart.includes('=');
}
