/** Scripts without spaces between words: their text is indexed as pairs of letters. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const runs =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\u30FC]+|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+/gu;

/**
 * Returns the words of a text in lower case and normalized form; for scripts without spaces the
 * pairs.
 */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const [run] of text.normalize('NFKC').toLowerCase().matchAll(runs)) {
    if (!unspaced.test(run)) words.add(run);
    else for (const pair of pairsOf(Array.from(run))) words.add(pair);
  }
  return words;
}

/** A single letter counts as a word. */
function pairsOf(letters: readonly string[]): string[] {
  if (letters.length === 1) return [...letters];
  return letters.slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`);
}
