/** Starts the work when all that was asked for before has ended, well or not. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * For calls whose answers become the state: run side by side, an older answer that arrives last
 * would undo a newer one.
 */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}
