import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Memory } from './memory-store.ts';
import { wordsOf } from './words-of.ts';

/** A memory of this age has half the weight. */
const halfLifeMs = 7 * 24 * 60 * 60 * 1_000;
/** Characters to process before yielding to other work: a few milliseconds. */
const turnCharacters = 50_000;

export type Ranked = Memory & { score: number };

/**
 * Returns the memories that share words with the query, best first: by the share of the query's
 * words that they contain, halved every 7 days. Among equals the newer first.
 */
export async function rank(
  memories: readonly Memory[],
  query: string,
  nowMs: number,
): Promise<Ranked[]> {
  const queryWords = wordsOf(query);
  const found: Ranked[] = [];
  let characters = 0;
  for (const memory of memories) {
    const words = wordsOf(`${memory.text} ${memory.tags.join(' ')}`);
    const shared = [...queryWords].filter((word) => words.has(word)).length;
    const ageMs = Math.max(0, nowMs - Date.parse(memory.createdAt));
    const score = (shared / queryWords.size) * 0.5 ** (ageMs / halfLifeMs);
    if (shared > 0) found.push({ ...memory, score: Number(score.toPrecision(6)) });
    characters += memory.text.length;
    if (characters < turnCharacters) continue;
    characters = 0;
    await nextTurn();
  }
  return found.sort((a, b) => b.score - a.score || Number(b.id) - Number(a.id));
}
