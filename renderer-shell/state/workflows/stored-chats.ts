const key = 'flow-chats';
const mostRemembered = 50;

/** Which conversation stood beside which workflow, by its id; it outlives the page. */
export interface StoredChats {
  get: (workflowId: string) => string | undefined;
  /** Null forgets it. */
  set: (workflowId: string, conversationId: string | null) => void;
}

/** A browser may keep nothing; then a conversation begins anew after a reload. */
export function createStoredChats(page: Pick<Window, 'localStorage'>): StoredChats {
  const read = (): [string, string][] => {
    try {
      const stored: unknown = JSON.parse(page.localStorage.getItem(key) ?? '[]');
      return Array.isArray(stored) ? stored.filter(isPair) : [];
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
        const next = [...others, ...own].slice(-mostRemembered);
        page.localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // Then it is known until the page is left.
      }
    },
  };
}

const isPair = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'string');
