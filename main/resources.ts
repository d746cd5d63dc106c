import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Resources } from '../service/app/index.ts';

/** Built files lie beside the built entry: `dist/main/…` next to `dist/renderer-shell/` and the others. */
export function builtResources(serveShell: boolean): Resources {
  const built = join(dirname(fileURLToPath(import.meta.url)), '..');
  return {
    shell: serveShell ? join(built, 'renderer-shell') : null,
    bridge: join(built, 'plugin-client'),
    plugins: join(built, 'plugins'),
  };
}
