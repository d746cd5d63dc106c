const reasons = {
  computer: 'Built with the browser and computer tools of the desktop.',
} as const;

type Later = keyof typeof reasons;

/** Ids by the thing they wait for. When a test cites an id, take it out of here. */
const waiting: Record<Later, string> = {
  computer: `
  `,
};

/** The single ids of a list, in the order written. */
const split = (ids: string): string[] => ids.trim().split(/\s+/);

function byId(): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [later, ids] of Object.entries(waiting) as [Later, string][]) {
    for (const id of split(ids)) {
      if (id in found) throw new Error(`${id} is deferred twice`);
      found[id] = reasons[later];
    }
  }
  return found;
}

/** What no test proves yet: id of the requirement -> why it is built later. */
export const deferrals: Record<string, string> = byId();
