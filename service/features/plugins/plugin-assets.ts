import { join } from 'node:path';
import { HostError } from '../../core/host-error.ts';
import { FileReply } from '../../http/reply.ts';

const bridgeFolder = '_host';
const bridgeFiles = new Set(['plugin-client.js', 'plugin-client.mjs']);

/** The page runs in an opaque origin, so its own modules and fonts are cross-origin to it. */
const headers = {
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'no-cache',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  // A name that is only looked up can carry something out, too.
  'X-DNS-Prefetch-Control': 'off',
};

/** What a plugin page may do, also when it is opened outside its frame. */
export function pagePolicy(frameAncestors: readonly string[]): string {
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors.join(' ')}`,
  ].join('; ');
}

export interface AssetFolders {
  /** Unpacked package; only its `ui/` is served. */
  plugin: string;
  /** Built bridge scripts. */
  bridge: string;
}

/** The file behind `/plugin-runtime/{id}/…`, or 404. */
export function pluginAsset(folders: AssetFolders, segments: string[], policy: string): FileReply {
  const [first, ...rest] = segments;
  const all = { ...headers, 'Content-Security-Policy': policy };
  if (first === bridgeFolder) {
    const name = rest.join('/');
    if (!bridgeFiles.has(name)) throw missing();
    return new FileReply(folders.bridge, name, {
      ...all,
      'Content-Type': 'text/javascript; charset=utf-8',
    });
  }
  if (
    segments.some((segment) => segment === '' || segment.startsWith('.') || /[/\\\0]/.test(segment))
  )
    throw missing();
  return new FileReply(join(folders.plugin, 'ui'), segments.join('/'), all);
}

function missing(): HostError {
  return new HostError('missing', 'not_found', 'There is no such file.');
}
