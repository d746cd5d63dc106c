import { visibleRequest } from '../state/plugin-files/file-request-service.ts';
import type { Shell } from '../state/shell.ts';

/** Returns true if a dialog that captures the keys is open. */
export function dialogOpen({ files, route, view }: Shell): boolean {
  if (visibleRequest(files.requests.get(), route.get())) return true;
  const { dialog, install, uninstall, configure } = view.get();
  return [dialog, install, uninstall, configure].some((one) => one !== null);
}
