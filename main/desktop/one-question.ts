const asking = new WeakSet<object>();

/**
 * Asks a person, who is asked one thing at a time in a window: null while another question stands there,
 * so that no page can heap them up.
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
