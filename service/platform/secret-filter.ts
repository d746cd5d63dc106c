/** Shorter texts also occur in ordinary text. */
const minLength = 4;
/** For texts in a stored object, which contains settings as well as secrets. */
const minNestedLength = 8;
/** A user has a few dozen; the oldest are dropped first. */
const maxSecrets = 5_000;
/** A longer text is searched in pieces: patterns have limits, and so does the text after a cut. */
const maxPiece = 4_096;
const maxPieces = 256;

/** Masks secrets in texts: registered ones, and texts that look like secrets. */
export class SecretFilter {
  private readonly secrets = new Set<string>();
  private pattern: RegExp | null = null;

  /** Registers a secret: a text, or JSON in which every string is one. */
  add(secret: string): void {
    const before = this.secrets.size;
    for (const text of textsIn(secret)) {
      for (const form of formsOf(text)) for (const piece of piecesOf(form)) this.secrets.add(piece);
    }
    if (this.secrets.size !== before) this.pattern = null;
    for (const oldest of this.secrets) {
      if (this.secrets.size <= maxSecrets) break;
      this.secrets.delete(oldest);
    }
  }

  /** Cleans the text up to `end`, which may be inside a secret. */
  clean(text: string, end = text.length): string {
    return withoutLikelySecrets(this.withoutAddedSecrets(text, end));
  }

  private withoutAddedSecrets(text: string, end: number): string {
    if (this.secrets.size === 0) return text.slice(0, end);
    this.pattern ??= new RegExp(
      [...this.secrets]
        .sort((a, b) => b.length - a.length)
        .map((secret) => secret.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
        .join('|'),
      'g',
    );
    let cleaned = '';
    let at = 0;
    for (const { 0: found, index } of text.slice(0, end + maxPiece).matchAll(this.pattern)) {
      if (index >= end) break;
      // The next piece of the same secret.
      if (index > at || at === 0) cleaned += `${text.slice(at, index)}***`;
      at = index + found.length;
    }
    return at < end ? cleaned + text.slice(at, end) : cleaned;
  }
}

function textsIn(secret: string): string[] {
  const value = /^\s*(?:["[{]|true|false|null)/.test(secret) ? parsed(secret) : undefined;
  if (typeof value === 'object' || typeof value === 'boolean')
    return textsOf(value).filter(({ length }) => length >= minNestedLength);
  const text = typeof value === 'string' ? value : secret;
  return text.length < minLength ? [] : [text];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

/** Pieces of similar length: a short one at the end would match ordinary text. */
function piecesOf(text: string): string[] {
  const count = Math.min(Math.ceil(text.length / maxPiece), maxPieces);
  const length = Math.min(text.length, count * maxPiece);
  const startOf = (index: number): number => Math.floor((index * length) / count);
  return Array.from({ length: count }, (_, index) =>
    text.slice(startOf(index), startOf(index + 1)),
  );
}

/** Returns the text unchanged, as in JSON, and as in a URL. */
function formsOf(text: string): string[] {
  const wellFormed = text.toWellFormed();
  return [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(wellFormed)];
}

const secretNames =
  'pass(?:word|wd|phrase)?|pwd|secret|token|ticket|api[-_]?key|access[-_]?key|private[-_]?key|authorization|cookie|credentials?';

const namedSecret = new RegExp(
  `((?:${secretNames})[\\w.-]{0,40}["']?\\s*[:=]\\s*)(?:(?:bearer|basic)\\s+)?("[^"]*"|'[^']*'|[^\\s,;&"']+)`,
  'gi',
);
const optionSecret = new RegExp(
  `(--[\\w-]{0,40}(?:${secretNames})[\\w-]{0,40}\\s+)(?!-)\\S+`,
  'gi',
);

/** Secrets should not be logged, but a message of a library may still contain one. */
function withoutLikelySecrets(text: string): string {
  return text
    .replace(/\bENC\([^)]*\)?/g, 'ENC(***)')
    .replace(/(\w:\/\/)[^\s/@]*@/g, '$1***@')
    .replace(namedSecret, '$1***')
    .replace(optionSecret, '$1***')
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, '$1 ***')
    .replace(/-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*-----|$)/gs, '***');
}
