/** The jobs of `DocumentReader`: each may be terminated at any moment. */
import type { DocumentJob } from './document-job.ts';
import { TooLargeError } from './too-large-error.ts';

export function ready(_: null): void {}

export type DocumentProblem = 'damaged' | 'encrypted' | 'tooLarge';

/** The text, or the reason why the file cannot be read. */
type Outcome = { text: string } | { problem: DocumentProblem };

export const pdf = async (job: DocumentJob): Promise<Outcome> => {
  const { textOfPdf } = await import('./pdf-text.ts');
  return outcomeOf(() => textOfPdf(job));
};

export const docx = async (job: DocumentJob): Promise<Outcome> => {
  const { textOfDocx } = await import('./docx-text.ts');
  return outcomeOf(() => textOfDocx(job));
};

async function outcomeOf(read: () => Promise<string>): Promise<Outcome> {
  try {
    return { text: await read() };
  } catch (error) {
    if (error instanceof TooLargeError) return { problem: 'tooLarge' };
    const isEncrypted = error instanceof Error && error.name === 'PasswordException';
    return { problem: isEncrypted ? 'encrypted' : 'damaged' };
  }
}
