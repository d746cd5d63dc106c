import { watch } from 'node:fs';
import { isProtectedName } from '../../../../core/protected-names.ts';
import { type BytePath, nameOf, textOf } from './byte-path.ts';

/** Tells at once of a protected name at the top of a workspace, where programs look first. */
export function watchRoot(root: BytePath, onAppeared: () => void): () => void {
  try {
    const watcher = watch(textOf(root), { persistent: false }, (_, name) => {
      if (name !== null && (name === '.git' || isProtectedName(nameOf(root), name))) onAppeared();
    });
    // It is looked for now and then as well.
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined;
  }
}
