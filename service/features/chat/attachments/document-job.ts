/** A document whose text is read. */
export interface DocumentJob {
  bytes: Uint8Array;
  /** Pages that would take longer are left out, with a sentence that says so. */
  softLimitMs: number;
  maxCharacters: number;
}
