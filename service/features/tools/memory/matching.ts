import type { Memory } from '../../../contract/index.ts';

/** Those that hold all the words of the query, in text or tags; all, where it has none. */
export function matching(memories: readonly Memory[], query: string): Memory[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return memories.filter(({ text, tags }) => {
    const held = [text, ...tags].join('\n').toLowerCase();
    return words.every((word) => held.includes(word));
  });
}
