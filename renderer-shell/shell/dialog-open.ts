import { visibleRequest } from '../state/plugin-files/file-request-service.ts';
import type { Shell } from '../state/shell.ts';

/** Whether something lies above the screen that has the keys for itself. */
export function dialogOpen({ files, route, view }: Shell): boolean {
  if (visibleRequest(files.requests.get(), route.get())) return true;
  const { dialog, install, uninstall, configure } = view.get();
  return [dialog, install, uninstall, configure].some((one) => one !== null);
}
