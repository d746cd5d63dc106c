/** The jobs of `DocumentReader`: each may be ended at any moment. */
export interface DocumentJob {
  bytes: Uint8Array;
  /** Pages that would take longer are left out, with a sentence that says so. */
  softLimitMs: number;
  maxCharacters: number;
}

export function ready(_: null): void {}

/** @throws where the file is damaged or encrypted */
export const pdf = async (job: DocumentJob): Promise<string> =>
  (await import('./pdf-text.ts')).textOfPdf(job);

/** @throws where the file is damaged or encrypted, or would become too large */
export const docx = async (job: DocumentJob): Promise<string> =>
  (await import('./docx-text.ts')).textOfDocx(job);
