import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeDirectories } from './fake-service.ts';

const dist = join(import.meta.dirname, '../../dist');

/**
 * Returns the folders of the built shell and plugin client.
 * @throws Error if they were not built
 */
export function builtShell(): FakeDirectories {
  const built = { shell: join(dist, 'renderer-shell'), client: join(dist, 'plugin-client') };
  const pages = [join(built.shell, 'index.html'), join(built.client, 'plugin-client.js')];
  if (pages.every((file) => existsSync(file))) return built;
  throw new Error('The shell is not built. Run npm run build, then run the tests again.');
}
