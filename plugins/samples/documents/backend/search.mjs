/** Characters of context on both sides of a match. */
const AROUND = 80;

/**
 * Returns a function that finds visible text: line breaks match spaces, or nothing between Chinese
 * characters.
 * @param {string} query
 * @param {{ caseSensitive?: boolean, wholeWords?: boolean }} how
 * @returns {(text: string) => { excerpt: string, start: number, length: number }[]} matches with
 * their position in the excerpt
 */
export function finder(query, { caseSensitive = false, wholeWords = false }) {
  const plain = flat(query).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = wholeWords ? `(?<![\\p{L}\\p{N}_])${plain}(?![\\p{L}\\p{N}_])` : plain;
  const expression = new RegExp(pattern, caseSensitive ? 'gu' : 'giu');
  return (text) => {
    const flatText = flat(text);
    return [...flatText.matchAll(expression)].map(({ index, 0: found }) => {
      const start = Math.max(0, index - AROUND);
      const excerpt = flatText.slice(start, index + found.length + AROUND).toWellFormed();
      return { excerpt, start: index - start, length: found.length };
    });
  };
}

const flat = (text) =>
  text
    .normalize('NFC')
    .replace(/\u00ad/g, '')
    .replace(/(?<=[\p{Script=Han}，。、；：！？])\s+(?=[\p{Script=Han}，。、；：！？])/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
