import type { ViewStore } from './view.ts';

/** Opens the browser's file chooser; resolves with no files when it is closed. Needs a user gesture. */
export function chooseFiles(accept: string, multiple: boolean): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input');
    input.type = 'file';
    input.accept = accept;
    input.multiple = multiple;
    input.addEventListener('change', () => resolve([...(input.files ?? [])]), { once: true });
    input.addEventListener('cancel', () => resolve([]), { once: true });
    input.click();
  });
}

/** Lets the user choose a package, and its checksum file with it. */
export async function chooseInstall(view: ViewStore): Promise<void> {
  const files = await chooseFiles('.plugin,.sha256', true);
  if (files.length > 0) view.patch({ install: files });
}
