export interface CountedWord {
  word: string;
  count: number;
}

/**
 * Returns the words of a text with their counts, the most frequent first. Ignores words with fewer
 * letters than `shortest`.
 */
export function countWords(text: string, shortest: number): CountedWord[] {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu))
    if (word.length >= shortest) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .map(([word, count]) => ({ word, count }))
    .sort((a, b) => b.count - a.count || a.word.localeCompare(b.word));
}
