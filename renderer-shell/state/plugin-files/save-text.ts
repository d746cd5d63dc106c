import { saveAs } from './save-target.ts';

/** Asks for a destination and writes the text there. Rejects as `saveAs` does. */
export const saveText = (fileName: string, text: string, type = 'text/plain'): Promise<void> =>
  saveAs(fileName, () => Promise.resolve(new Response(new Blob([text], { type }))));
