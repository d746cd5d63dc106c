import { unknownPart } from '../segment.ts';

/** What is known of a word while it is read. */
export interface Parts {
  value: string;
  expanded: boolean;
  glob: boolean;
  braces: boolean;
  /** Several words may come of it. */
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

/** Whether what only the shell knows may bring along an option. */
export function mayHideOption({ value, firstIsOpen, split, expanded, glob }: Parts): boolean {
  if (firstIsOpen || split) return true;
  if (!expanded && !glob) return false;
  const literalStart = value.split(unknownPart, 1)[0] ?? '';
  return literalStart.startsWith('-') && !literalStart.includes('=');
}
