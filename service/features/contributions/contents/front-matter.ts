import type { fieldsOfYaml } from './yaml-fields.ts';

const maxHeaderLength = 32 * 1024;
/** Characters that make YAML slow to parse; ordinary fields have few of them. */
const mark = /[[\]{},&*!?|>%@`"'#:\n-]/g;
const maxMarks = 400;
const maxMarksOfAPlugin = 50_000;

const fieldLine = /^([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*))?$/;

/** The front matter and the body of a Markdown text. */
export interface FrontMatter {
  /** Top-level fields as text; lists and maps as they are written. */
  fields: Map<string, string>;
  body: string;
}

/**
 * Reads the fields between the two `---` lines at the beginning of Markdown texts. Many authors
 * write invalid YAML, such as a colon in a description: then each line that begins with `key:` is a
 * field. One reader is for one plugin, since the total parsing cost of its texts is limited.
 */
export class FrontMatterReader {
  readonly #fieldsOfYaml: typeof fieldsOfYaml;
  #marksLeft = maxMarksOfAPlugin;

  private constructor(yaml: typeof fieldsOfYaml) {
    this.#fieldsOfYaml = yaml;
  }

  /** Loads the YAML parser on demand, since it is large. */
  static async open(): Promise<FrontMatterReader> {
    const yaml = await import('./yaml-fields.ts');
    return new FrontMatterReader(yaml.fieldsOfYaml);
  }

  /** Never throws. */
  read(text: string): FrontMatter {
    const { header, body } = splitFrontMatter(text);
    return { fields: this.#fieldsOf(header), body };
  }

  #fieldsOf(header: string): Map<string, string> {
    const simple = fieldsOfSimpleLines(header);
    if (simple !== null) return simple;
    const marks = header.match(mark)?.length ?? 0;
    if (marks > Math.min(maxMarks, this.#marksLeft)) return fieldsOfLines(header);
    this.#marksLeft -= marks;
    return this.#fieldsOfYaml(header) ?? fieldsOfLines(header);
  }
}

/** Splits a text into the lines between the two marks and the rest. */
export function splitFrontMatter(text: string): { header: string; body: string } {
  const plain = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const opening = /^\s*---[ \t]*\n/.exec(plain);
  if (opening === null) return { header: '', body: plain };
  const rest = plain.slice(opening[0].length);
  // If the closing line is missing, the fields end at the first empty line.
  const closing = /^(?:---|\.\.\.)[ \t]*$/m.exec(rest) ?? /^[ \t]*$/m.exec(rest);
  const end = closing?.index ?? rest.length;
  const header = rest.slice(0, Math.min(end, maxHeaderLength));
  return { header, body: rest.slice(end + (closing?.[0].length ?? 0)) };
}

/**
 * Reads headers that consist of `key: text` lines only, which mean the same without YAML. Null if a
 * line needs a YAML parser.
 */
function fieldsOfSimpleLines(header: string): Map<string, string> | null {
  const fields = new Map<string, string>();
  for (const line of header.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, key, written = ''] = fieldLine.exec(line) ?? [];
    const value = key === undefined ? null : simpleValue(written.trim());
    if (key === undefined || value === null) return null;
    if (!fields.has(key)) fields.set(key, value);
  }
  return fields;
}

function simpleValue(value: string): string | null {
  const quoted = /^"([^"\\]*)"$/.exec(value) ?? /^'([^']*)'$/.exec(value);
  if (quoted) return quoted[1] ?? '';
  return /^["'&*!|>%@`#?,:-]/.test(value) || / #/.test(value) ? null : value;
}

function fieldsOfLines(header: string): Map<string, string> {
  const fields = new Map<string, string[]>();
  let lines: string[] | undefined;
  for (const line of header.split('\n')) {
    const field = fieldLine.exec(line);
    if (field) {
      const key = field[1] ?? '';
      lines = fields.has(key) ? undefined : [(field[2] ?? '').trim()];
      if (lines) fields.set(key, lines);
    } else if (/^\s/.test(line)) lines?.push(line.trim());
    else lines = undefined;
  }
  return new Map([...fields].map(([key, found]) => [key, valueOf(found)]));
}

function valueOf(lines: string[]): string {
  const blockMark = /^[|>][-+\d]*$/.test(lines[0] ?? '');
  const text = (blockMark ? lines.slice(1) : lines).join(' ').trim();
  const quoted = /^(["'])(.*)\1$/s.exec(text);
  return quoted ? (quoted[2] ?? '').replaceAll(`\\${quoted[1] ?? ''}`, quoted[1] ?? '') : text;
}
