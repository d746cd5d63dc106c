/** Shorter ones occur in ordinary text. */
const minLength = 4;
/** Of one text in a stored object, which holds settings beside secrets. */
const minNestedLength = 8;
/** A person has a few dozen; the oldest are forgotten first. */
const maxSecrets = 5_000;
/** A longer text is found by its beginning. */
const maxSecretLength = 4_096;

/** Takes secrets out of texts: those that it was handed, and what looks like one. */
export class SecretFilter {
  private readonly secrets = new Set<string>();
  private pattern: RegExp | null = null;

  /** `secret`: a text, or JSON of which every text is one. */
  add(secret: string): void {
    const before = this.secrets.size;
    for (const text of textsIn(secret)) {
      for (const form of formsOf(text.slice(0, maxSecretLength))) this.secrets.add(form);
    }
    if (this.secrets.size !== before) this.pattern = null;
    for (const oldest of this.secrets) {
      if (this.secrets.size <= maxSecrets) break;
      this.secrets.delete(oldest);
    }
  }

  clean(text: string): string {
    return withoutLikelySecrets(this.withoutKnown(text));
  }

  private withoutKnown(text: string): string {
    if (this.secrets.size === 0) return text;
    this.pattern ??= new RegExp(
      [...this.secrets]
        .sort((a, b) => b.length - a.length)
        .map((secret) => secret.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
        .join('|'),
      'g',
    );
    return text.replace(this.pattern, '***');
  }
}

function textsIn(secret: string): string[] {
  const nested = /^\s*[[{]/.test(secret) ? parsed(secret) : undefined;
  if (nested === undefined) return secret.length < minLength ? [] : [secret];
  return leavesOf(nested).filter(({ length }) => length >= minNestedLength);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
}

/** As it is, in JSON, and in an address. */
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

/** Nobody should write a secret; a message of a library may still carry one. */
function withoutLikelySecrets(text: string): string {
  return text
    .replace(/\bENC\([^)]*\)?/g, 'ENC(***)')
    .replace(/(\w:\/\/)[^\s/@]*@/g, '$1***@')
    .replace(namedSecret, '$1***')
    .replace(optionSecret, '$1***')
    .replace(/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, '$1 ***')
    .replace(/-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*-----|$)/gs, '***');
}
