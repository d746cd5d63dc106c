import { chooseFiles } from './choose-files.ts';
import type { ViewStore } from './view.ts';

/** Packages and their checksum files, and archives that the host converts into packages. */
export const acceptedFiles = '.plugin,.mcpb,.dxt,.zip,.sha256';

/** Lets the user choose a package together with its checksum file. */
export async function chooseInstall(view: ViewStore): Promise<void> {
  const files = await chooseFiles({ accept: acceptedFiles, multiple: true });
  if (files && files.length > 0) view.patch({ install: files });
}
