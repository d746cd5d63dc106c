/**
 * Returns the words of a text with their counts, the most frequent first.
 * @param {string} text
 * @param {number} shortest words with fewer letters are ignored
 */
export function countWords(text, shortest) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu))
    if (word.length >= shortest) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .map(([word, count]) => ({ word, count }))
    .sort((a, b) => b.count - a.count || a.word.localeCompare(b.word));
}
