import { HostError } from '../../core/host-error.ts';
import { FileReply } from '../../http/reply.ts';
import { openBelow } from '../../platform/archives/plain-open.ts';
import { msg } from '../../messages/index.ts';

const bridgeFolder = '_host';
const bridgeFiles = new Set(['plugin-client.js', 'plugin-client.mjs']);

/** The page runs in an opaque origin, so its own modules and fonts are cross-origin to it. */
const headers = {
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-cache',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  // Even a DNS lookup can carry data out.
  'X-DNS-Prefetch-Control': 'off',
};

/** Absolute paths of the folders that a plugin page loads its files from. */
export interface AssetFolders {
  /** Unpacked package; only its `ui/` is served. */
  plugin: string;
  /** Built bridge scripts. */
  bridge: string;
}

/**
 * Opens the file for `/plugin-runtime/{id}/…` without following links out of its folder.
 * @throws HostError 404
 */
export async function pluginAsset(
  folders: AssetFolders,
  segments: string[],
  policy: string,
): Promise<FileReply> {
  const [first, ...rest] = segments;
  const all = { ...headers, 'Content-Security-Policy': policy };
  if (first === bridgeFolder) {
    const name = rest.join('/');
    const file = bridgeFiles.has(name) ? await openBelow(folders.bridge, [name]) : null;
    if (file === null) throw missing();
    return new FileReply(file, name, {
      ...all,
      'Content-Type': 'text/javascript; charset=utf-8',
    });
  }
  if (
    segments.some((segment) => segment === '' || segment.startsWith('.') || /[/\\\0]/.test(segment))
  )
    throw missing();
  const file = await openBelow(folders.plugin, ['ui', ...segments]);
  if (file === null) throw missing();
  return new FileReply(file, segments.at(-1) ?? '', all);
}

function missing(): HostError {
  return new HostError('missing', 'not_found', msg('request.noSuchFile'));
}
