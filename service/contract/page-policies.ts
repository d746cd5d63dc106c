/** The Content-Security-Policy of plugin pages: what one may do, also when it is opened outside its frame. */
export function pagePolicy(frameAncestors: readonly string[]): string {
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'none'",
    // `connect-src` does not hold for peer connections.
    "webrtc 'block'",
    "form-action 'none'",
    "base-uri 'none'",
    `frame-ancestors ${frameAncestors.join(' ')}`,
  ].join('; ');
}

/**
 * The ones of the frames that show what an answer contains: scripts run in no origin, and nothing is
 * loaded. `page` is HTML of an answer with what it brings along, `diagram` the host's own script.
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

/** The one of the shell page, whose inline styles carry `nonce`. It frames plugin pages from `frameOrigins`. */
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

/** The addresses under which browsers see a host on this machine. */
export const localOrigins = (port: number, allowedHosts: readonly string[] = []): string[] => [
  ...['127.0.0.1', 'localhost'].map((name) => `http://${name}:${port}`),
  // A proxy in front of it may use https.
  ...allowedHosts.flatMap((name) => [`http://${name}`, `https://${name}`]),
];
