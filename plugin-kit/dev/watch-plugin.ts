import { watch } from 'node:fs';

const settleMs = 80;

/**
 * Calls `onChange` after changes below a folder, once for changes in quick succession. Returns a
 * function that stops watching.
 */
export function watchPlugin(directory: string, onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(directory, { recursive: true }, (_event, name) => {
    if (name !== null && isOwn(name.replaceAll('\\', '/'))) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, settleMs);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

/** Output of packing and of tools, which no package contains. */
const isOwn = (name: string): boolean =>
  name
    .split('/')
    .some((part) => part.startsWith('.') || part === 'node_modules' || part === 'dist');
