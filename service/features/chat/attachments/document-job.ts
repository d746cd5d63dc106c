/** A document whose text is read. */
export interface DocumentJob {
  bytes: Uint8Array;
  /** Pages beyond this time are left out, and a sentence in the text says so. */
  softLimitMs: number;
  maxCharacters: number;
}
