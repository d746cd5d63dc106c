import type { Memory } from '../../../contract/index.ts';

/**
 * Returns the memories that contain all words of the query in their text or tags; all memories for
 * an empty query.
 */
export function matching(memories: readonly Memory[], query: string): Memory[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return memories.filter(({ text, tags }) => {
    const held = [text, ...tags].join('\n').toLowerCase();
    return words.every((word) => held.includes(word));
  });
}
