/** An error that the page itself detected; `key` is the key of its message. */
export class PageError extends Error {
  readonly key: string;
  readonly values: Record<string, string>;
  constructor(key: string, values: Record<string, string> = {}) {
    super(key);
    this.name = 'PageError';
    this.key = key;
    this.values = values;
  }
}
