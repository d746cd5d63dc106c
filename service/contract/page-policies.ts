/** Content-Security-Policy of plugin pages, which also applies outside their frame. */
export function pagePolicy(frameAncestors: readonly string[]): string {
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'none'",
    // `connect-src` does not cover peer connections.
    "webrtc 'block'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors.join(' ')}`,
  ].join('; ');
}

/**
 * Content-Security-Policy of the frames for contents of answers: scripts have an opaque origin, and
 * nothing is loaded. `page` is for HTML of an answer, `diagram` for the host's own script.
 */
export function answerFramePolicy(
  kind: 'page' | 'diagram',
  frameAncestors: readonly string[],
): string {
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${kind === 'page' ? "'unsafe-inline'" : "'self'"}`,
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data:',
    'media-src data: blob:',
    "connect-src 'none'",
    "webrtc 'block'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors.join(' ')}`,
  ].join('; ');
}

/**
 * Content-Security-Policy of the shell page. Its inline styles carry `nonce`; it embeds plugin
 * pages from `frameOrigins`.
 */
export function shellPolicy(nonce: string, frameOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    `frame-src ${frameOrigins.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Origins of a host on this machine. */
export const localOrigins = (port: number, allowedHosts: readonly string[] = []): string[] => [
  ...['127.0.0.1', 'localhost'].map((name) => `http://${name}:${port}`),
  // A reverse proxy can use https.
  ...allowedHosts.flatMap((name) => [`http://${name}`, `https://${name}`]),
];
