const key = 'flow-chats';
const mostRemembered = 50;

/** Which conversation stood beside which workflow, by its id; it outlives the page. */
export interface RememberedChats {
  get: (workflowId: string) => string | undefined;
  /** Null forgets it. */
  set: (workflowId: string, conversationId: string | null) => void;
}

/** A browser may keep nothing; then a conversation begins anew after a reload. */
export function createRememberedChats(page: Pick<Window, 'localStorage'>): RememberedChats {
  const read = (): [string, string][] => {
    try {
      const kept: unknown = JSON.parse(page.localStorage.getItem(key) ?? '[]');
      return Array.isArray(kept) ? kept.filter(isPair) : [];
    } catch {
      return [];
    }
  };
  return {
    get: (workflowId) => read().find(([id]) => id === workflowId)?.[1],
    set: (workflowId, conversationId) => {
      const before = read();
      if (before.find(([id]) => id === workflowId)?.[1] === (conversationId ?? undefined)) return;
      const others = before.filter(([id]) => id !== workflowId);
      const own = conversationId === null ? [] : [[workflowId, conversationId]];
      try {
        const kept = [...others, ...own].slice(-mostRemembered);
        page.localStorage.setItem(key, JSON.stringify(kept));
      } catch {
        // Then it is known until the page is left.
      }
    },
  };
}

const isPair = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'string');
