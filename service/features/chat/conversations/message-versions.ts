import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ChatMessage, MessageVersion } from '../../../contract/index.ts';
import type { StoredMessage } from './conversation-store.ts';
import type { Version } from './version-store.ts';

/** A shown message as far as its versions go. */
export type Shown = Pick<Version, 'id' | 'sequence'>;

/** Where each of the shown messages stands; `before` is the one before the first of them. */
export function versionsOf(
  shown: readonly Shown[],
  before: string | null,
  hidden: readonly Version[],
): MessageVersion[] {
  const byParent = Map.groupBy(hidden, ({ parentId }) => parentId);
  return shown.map((message, index) => {
    const parentId = shown[index - 1]?.id ?? before;
    const all: Shown[] = [...(byParent.get(parentId) ?? []), message];
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
  versions.toSorted((a, b) => b.leftAt - a.leftAt || b.sequence - a.sequence)[0];

/** The hidden messages that hang on none of `shown`, which replaces what was shown. */
export function orphansOf(
  shown: ReadonlySet<string>,
  hasOldFirst: boolean,
  hidden: readonly Version[],
): string[] {
  const byId = new Map(hidden.map((version) => [version.id, version]));
  const hangs = ({ parentId }: Version): boolean => {
    if (parentId === null) return hasOldFirst;
    const parent = byId.get(parentId);
    return shown.has(parentId) || (parent !== undefined && hangs(parent));
  };
  return hidden.filter((version) => shown.has(version.id) || !hangs(version)).map(({ id }) => id);
}

/** Messages with an id each; those that are known keep theirs. */
export function named(
  messages: readonly ChatMessage[],
  revision: number,
  known: ReadonlyMap<string, number> = new Map(),
): StoredMessage[] {
  const used = new Set<string>();
  return messages.map((message) => {
    const sequence = known.get(message.id ?? '');
    const isKept = message.id !== undefined && sequence !== undefined && !used.has(message.id);
    const id = isKept && message.id !== undefined ? message.id : randomUUID();
    used.add(id);
    return { id, sequence: isKept && sequence !== undefined ? sequence : revision, message };
  });
}

/** Whether a person says the same once more. */
export const isSameWord = (one: ChatMessage, other: ChatMessage): boolean =>
  one.role === 'user' &&
  other.role === 'user' &&
  isDeepStrictEqual(one.content, other.content) &&
  isDeepStrictEqual(one.attachments ?? [], other.attachments ?? []);
