// The same forms as the service reads: the entire text, with or without braces, or in braces inside
// a text. The edited text is JSON, whose strings are in quotes.
const quotedString = /"((?:[^"\\]|\\.)*)"/g;
const alone = /^steps\.(\d+|deleted)\.result(?=$|[.[])/;
const inBraces = /(\{\{\s*)steps\.(\d+|deleted)\.result(?=[.[\s}])/g;

/** The JSON text with the number of each reference to a step replaced. */
export function mapReferences(json: string, numberOf: (number: string) => string): string {
  return json.replace(quotedString, (_, text: string) => {
    // Without braces, an ordinary sentence may begin like this, too.
    const found = /\s/.test(text) ? null : alone.exec(text);
    if (!found) {
      const mapped = text.replace(
        inBraces,
        (__, open: string, number: string) => `${open}steps.${numberOf(number)}.result`,
      );
      return `"${mapped}"`;
    }
    const [head, number = ''] = found;
    return `"steps.${numberOf(number)}.result${text.slice(head.length)}"`;
  });
}
