/** A position in a text; both numbers count from 1. */
export interface TextPosition {
  line: number;
  column: number;
}

/** Returns the start of the value at `path` in JSON text; null if there is none. */
export function positionOfField(text: string, path: readonly PropertyKey[]): TextPosition | null {
  const at = new Reader(text).find(path);
  return at === null ? null : positionAt(text, at);
}

export function positionAt(text: string, offset: number): TextPosition {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Walks the tokens of valid JSON. */
class Reader {
  readonly #tokens: Iterator<RegExpExecArray>;
  #now: RegExpExecArray | undefined;

  constructor(text: string) {
    const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
    this.#tokens = text.matchAll(token);
    this.#next();
  }

  find(path: readonly PropertyKey[]): number | null {
    const [key, ...rest] = path;
    const open = this.#now;
    if (key === undefined || open === undefined) return open?.index ?? null;
    const isObject = open[0] === '{';
    if (!isObject && open[0] !== '[') return null;
    this.#next();
    for (let index = 0; !this.#isEnd(); index += 1) {
      const name = isObject ? this.#name() : String(index);
      if (name === String(key)) return this.find(rest);
      this.#skip();
      if (this.#text() === ',') this.#next();
    }
    return null;
  }

  #isEnd(): boolean {
    return this.#text() === '}' || this.#text() === ']';
  }

  #name(): string {
    const written = this.#text();
    this.#next();
    this.#next();
    return JSON.parse(written) as string;
  }

  /** Skips one value. */
  #skip(): void {
    let depth = 0;
    do {
      const token = this.#text();
      if (token === '{' || token === '[') depth += 1;
      if (token === '}' || token === ']') depth -= 1;
      this.#next();
    } while (depth > 0 && this.#now !== undefined);
  }

  #text(): string {
    return this.#now?.[0] ?? '}';
  }

  #next(): void {
    const next = this.#tokens.next();
    this.#now = next.done === true ? undefined : next.value;
  }
}
