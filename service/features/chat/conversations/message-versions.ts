import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ChatMessage, MessageVersion } from '../../../contract/index.ts';
import type { StoredMessage } from './conversation-store.ts';
import type { Version } from './version-store.ts';

/** The parts of a visible message that determine its versions. */
export type VisibleMessage = Pick<Version, 'id' | 'sequence'>;

/** Version data of the visible messages; `before` is the id of the message before the first one. */
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
 * The hidden messages to show for a version: the path to it from a visible message, and the most
 * recently visible messages after it. Null if the version is not hidden.
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

/** The hidden messages that are not reachable from `visible`, the new visible messages. */
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

/** Assigns an id to each message; existing ids are kept. */
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

/** True if the user sends the same message again. */
export const isSameMessage = (one: ChatMessage, other: ChatMessage): boolean =>
  one.role === 'user' &&
  other.role === 'user' &&
  isDeepStrictEqual(one.content, other.content) &&
  isDeepStrictEqual(one.attachments ?? [], other.attachments ?? []);
