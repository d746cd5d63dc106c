/**
 * Keeps the beginning and the end of a text of any length, and counts what lies between: memory is
 * bounded by what is kept.
 */
export class HeadAndTail {
  private readonly headLength: number;
  private readonly tailLength: number;
  private head = '';
  private tail = '';
  private length = 0;

  /** In characters (UTF-16); half of it for each end. */
  constructor(maxCharacters: number) {
    this.headLength = Math.ceil(maxCharacters / 2);
    this.tailLength = maxCharacters - this.headLength;
  }

  add(text: string): void {
    this.length += text.length;
    const capacity = this.headLength - this.head.length;
    this.head += text.slice(0, capacity);
    this.tail += text.slice(capacity);
    if (this.tail.length > 2 * this.tailLength) this.tail = this.tail.slice(-this.tailLength);
  }

  get truncated(): boolean {
    return this.length > this.headLength + this.tailLength;
  }

  /** The whole, or both ends with a marker that names how many characters are missing. */
  text(): string {
    if (!this.truncated) return this.head + this.tail;
    // Half a character at a cut goes with what is left out.
    const head = this.head.replace(/[\uD800-\uDBFF]$/, '');
    const tail = this.tail.slice(-this.tailLength).replace(/^[\uDC00-\uDFFF]/, '');
    const omitted = this.length - head.length - tail.length;
    return `${head}\n[… ${omitted} characters omitted …]\n${tail}`;
  }
}
