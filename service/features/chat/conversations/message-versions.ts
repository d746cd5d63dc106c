import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ChatMessage, MessageVersion } from '../../../contract/index.ts';
import type { StoredMessage } from './conversation-store.ts';
import type { Version } from './version-store.ts';

/** A shown message as far as its versions go. */
export type VisibleMessage = Pick<Version, 'id' | 'sequence'>;

/** Where each of the shown messages stands; `before` is the one before the first of them. */
export function versionsOf(
  visible: readonly VisibleMessage[],
  before: string | null,
  hidden: readonly Version[],
): MessageVersion[] {
  const byParent = Map.groupBy(hidden, ({ parentId }) => parentId);
  return visible.map((message, index) => {
    const parentId = visible[index - 1]?.id ?? before;
    const all: VisibleMessage[] = [...(byParent.get(parentId) ?? []), message];
    const siblings = all.toSorted((a, b) => a.sequence - b.sequence).map(({ id }) => id);
    return { id: message.id, parentId, siblings };
  });
}

/**
 * The hidden messages that are to be shown for that one: those that lead to it from a shown message, and
 * what was seen behind it last. Null where it is not hidden.
 */
export function branchOf(
  id: string,
  hidden: readonly Version[],
): { parentId: string | null; ids: string[] } | null {
  const byId = new Map(hidden.map((version) => [version.id, version]));
  const chosen = byId.get(id);
  if (chosen === undefined) return null;
  const ids: string[] = [];
  let first = chosen;
  for (let at: Version | undefined = chosen; at !== undefined;) {
    ids.unshift(at.id);
    first = at;
    at = at.parentId === null ? undefined : byId.get(at.parentId);
  }
  const byParent = Map.groupBy(hidden, ({ parentId }) => parentId);
  for (let next = lastSeen(byParent.get(id)); next !== undefined;) {
    ids.push(next.id);
    next = lastSeen(byParent.get(next.id));
  }
  return { parentId: first.parentId, ids };
}

const lastSeen = (versions: readonly Version[] = []): Version | undefined =>
  versions.toSorted((a, b) => b.hiddenAt - a.hiddenAt || b.sequence - a.sequence)[0];

/** The hidden messages that hang on none of `shown`, which replaces what was shown. */
export function orphansOf(
  visible: ReadonlySet<string>,
  hasOldFirst: boolean,
  hidden: readonly Version[],
): string[] {
  const byId = new Map(hidden.map((version) => [version.id, version]));
  const hangs = ({ parentId }: Version): boolean => {
    if (parentId === null) return hasOldFirst;
    const parent = byId.get(parentId);
    return visible.has(parentId) || (parent !== undefined && hangs(parent));
  };
  return hidden.filter((version) => visible.has(version.id) || !hangs(version)).map(({ id }) => id);
}

/** Messages with an id each; those that are known keep theirs. */
export function withIds(
  messages: readonly ChatMessage[],
  revision: number,
  sequences: ReadonlyMap<string, number> = new Map(),
): StoredMessage[] {
  const used = new Set<string>();
  return messages.map((message) => {
    const sequence = sequences.get(message.id ?? '');
    const isReused = message.id !== undefined && sequence !== undefined && !used.has(message.id);
    const id = isReused && message.id !== undefined ? message.id : randomUUID();
    used.add(id);
    return { id, sequence: isReused && sequence !== undefined ? sequence : revision, message };
  });
}

/** Whether a person says the same once more. */
export const isSameMessage = (one: ChatMessage, other: ChatMessage): boolean =>
  one.role === 'user' &&
  other.role === 'user' &&
  isDeepStrictEqual(one.content, other.content) &&
  isDeepStrictEqual(one.attachments ?? [], other.attachments ?? []);
