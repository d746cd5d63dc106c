import { type AcceptedPlugin, acceptPackage } from '../features/plugins/index.ts';
import { sha256Of } from '../platform/sha256-of.ts';

/** Returns the package on disk as its upload would be accepted. */
export async function acceptedFile(path: string): Promise<AcceptedPlugin> {
  const checksum = { claimed: undefined, required: false };
  const file = { path, sha256: await sha256Of(path) };
  return (await acceptPackage(file, { trust: 'outside', checksum })).plugin;
}
