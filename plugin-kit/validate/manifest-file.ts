import { isObject } from '../../service/core/is-object.ts';
import { positionAt, positionOfField } from '../../service/features/plugins/packages/field-line.ts';
import { manifestName } from '../../service/features/plugins/packages/package-manifest.ts';
import { type Position, wholeFile } from './finding.ts';

/** The text of a manifest with the positions of its fields. */
export class ManifestFile {
  readonly text: string;
  /** Undefined if the text is not JSON. */
  readonly value: unknown;

  constructor(text: string) {
    this.text = text;
    this.value = parsed(text);
  }

  /**
   * Returns the position of a dotted path such as `methods.count.params`, or of the nearest
   * enclosing field if it is missing.
   */
  positionOf(dotted: string): Position {
    if (this.value === undefined) return wholeFile(manifestName);
    for (let path = this.#pathOf(dotted); ; path = path.slice(0, -1)) {
      const position = positionOfField(this.text, path);
      if (position !== null) return { file: manifestName, ...position };
      if (path.length === 0) return wholeFile(manifestName);
    }
  }

  /** Returns the position of a field's name, for a field that should not exist. */
  nameOf(dotted: string): Position {
    const at = this.positionOf(dotted);
    const key = this.#pathOf(dotted).at(-1);
    if (at.line === null || key === undefined || /^\d+$/.test(key)) return at;
    const lines = this.text.split('\n');
    const offset = lines.slice(0, at.line - 1).join('\n').length + (at.line > 1 ? 1 : 0);
    const end = offset + (at.column ?? 1) - 1;
    const start = this.text.lastIndexOf(JSON.stringify(key), end);
    return start === -1 ? at : { file: manifestName, ...positionAt(this.text, start) };
  }

  /** Splits a dotted path. Names of fields may contain dots too. */
  #pathOf(dotted: string): string[] {
    const path: string[] = [];
    let value = this.value;
    let rest = dotted === '' || dotted === manifestName ? [] : dotted.split('.');
    while (rest.length > 0) {
      const length = keyLength(value, rest);
      const key = rest.slice(0, length).join('.');
      path.push(key);
      value =
        isObject(value) || Array.isArray(value)
          ? (value as Record<string, unknown>)[key]
          : undefined;
      rest = rest.slice(length);
    }
    return path;
  }
}

/** Returns how many parts of the path form one key. */
function keyLength(value: unknown, parts: readonly string[]): number {
  if (isObject(value))
    for (let length = parts.length; length > 1; length -= 1)
      if (Object.hasOwn(value, parts.slice(0, length).join('.'))) return length;
  return 1;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
