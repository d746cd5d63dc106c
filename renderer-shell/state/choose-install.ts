import { chooseFiles } from './choose-files.ts';
import type { ViewStore } from './view.ts';

/** Lets the user choose a package, and its checksum file with it. */
export async function chooseInstall(view: ViewStore): Promise<void> {
  const files = await chooseFiles({ accept: '.plugin,.sha256', multiple: true });
  if (files && files.length > 0) view.patch({ install: files });
}
