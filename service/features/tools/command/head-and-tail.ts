/**
 * Stores the beginning and the end of a text of any length and counts the characters in between, so
 * that memory is bounded.
 */
export class HeadAndTail {
  private readonly headLength: number;
  private readonly tailLength: number;
  private head = '';
  private tail = '';
  private length = 0;

  /** Maximum in UTF-16 characters, half of it for each end. */
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

  /**
   * Returns the complete text, or both ends with a marker that says how many characters are
   * missing.
   */
  text(): string {
    if (!this.truncated) return this.head + this.tail;
    // Removes half of a surrogate pair at the cut.
    const head = this.head.replace(/[\uD800-\uDBFF]$/, '');
    const tail = this.tail.slice(-this.tailLength).replace(/^[\uDC00-\uDFFF]/, '');
    const omitted = this.length - head.length - tail.length;
    return `${head}\n[… ${omitted} characters omitted …]\n${tail}`;
  }
}
