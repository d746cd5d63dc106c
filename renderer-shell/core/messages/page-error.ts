/** A failure that the page found by itself; `key` is that of the words. */
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
