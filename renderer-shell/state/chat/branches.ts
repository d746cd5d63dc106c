import type { api, Reply } from '../../../service/contract/index.ts';

export type AnyVersion = Reply<(typeof api.conversations)['versions']>[number];

/** The messages that follow a message with several replies, or the first messages. */
export interface Branch {
  /** Up to the next message with several followers. */
  messages: AnyVersion[];
  branches: Branch[];
}

/** Returns all versions of a conversation as a tree, in the order of the host. */
export function branchesOf(versions: readonly AnyVersion[]): Branch[] {
  const byParent = Map.groupBy(versions, ({ parentId }) => parentId);
  const from = (parentId: string | null): Branch[] =>
    (byParent.get(parentId) ?? []).map((first) => {
      const messages = [first];
      for (let next = byParent.get(first.id); next?.length === 1;) {
        const [only] = next;
        if (only === undefined) break;
        messages.push(only);
        next = byParent.get(only.id);
      }
      return { messages, branches: from(messages.at(-1)?.id ?? null) };
    });
  return from(null);
}
