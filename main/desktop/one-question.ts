const asking = new WeakSet<object>();

/**
 * Asks the person a question unless the window already shows one; then returns null. A page cannot
 * pile up dialogs this way.
 */
export async function oneQuestion<T>(window: object, ask: () => Promise<T>): Promise<T | null> {
  if (asking.has(window)) return null;
  asking.add(window);
  try {
    return await ask();
  } finally {
    asking.delete(window);
  }
}
