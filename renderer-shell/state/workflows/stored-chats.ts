const key = 'flow-chats';
const maxStored = 50;

/** The last conversation beside each workflow, by id; stored across reloads. */
export interface StoredChats {
  get: (workflowId: string) => string | undefined;
  /** Null removes the entry. */
  set: (workflowId: string, conversationId: string | null) => void;
}

/** If the browser forbids storage, a reload starts a new conversation. */
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
      const entry = conversationId === null ? [] : [[workflowId, conversationId]];
      try {
        const next = [...others, ...entry].slice(-maxStored);
        page.localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // Then it is known until the page is left.
      }
    },
  };
}

const isPair = (value: unknown): value is [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === 'string');
