import { chooseFiles } from './choose-files.ts';
import type { ViewStore } from './view.ts';

/** Packages, plugins of other programs that the host makes packages of, and checksum files. */
export const installable = '.plugin,.mcpb,.dxt,.zip,.sha256';

/** Lets the user choose a package, and its checksum file with it. */
export async function chooseInstall(view: ViewStore): Promise<void> {
  const files = await chooseFiles({ accept: installable, multiple: true });
  if (files && files.length > 0) view.patch({ install: files });
}
