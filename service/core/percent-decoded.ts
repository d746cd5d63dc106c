/** Decodes percent escapes; returns the text unchanged when they are not UTF-8. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
