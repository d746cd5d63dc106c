import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { endpoint, open, type Settings, shellPolicy } from '../contract/index.ts';
import { HostError } from '../core/host-error.ts';
import { FileReply, TextReply } from '../http/reply.ts';
import { type Route, route } from '../http/route.ts';
import { openBelow } from '../platform/archives/plain-open.ts';
import { msg } from '../messages/index.ts';

const page = endpoint({ method: 'GET', path: '/', access: open, summary: 'The shell page' });
const asset = endpoint({
  method: 'GET',
  path: '/assets/{*file}',
  access: open,
  summary: 'A built file of the shell page; its name changes with its content',
  params: z.object({ file: z.array(z.string()) }),
});

/** Appearance of the page at its start; null without a database. */
export type ShellAppearance = Pick<Settings, 'theme' | 'language' | 'sidebarCollapsed'> | null;

/** Returns the page with the nonce and the appearance filled in. None of it is secret. */
export function filledShellPage(html: string, nonce: string, appearance: ShellAppearance): string {
  const { theme, language, sidebarCollapsed } = appearance ?? { theme: 'setup', language: '' };
  const attributes = [theme, language, sidebarCollapsed === true ? 'collapsed' : ''];
  return html
    .replaceAll('__STYLE_NONCE__', nonce)
    .replaceAll('__SHELL_LOOK__', attributes.join(' ').trim());
}

/** Routes of the static files of the shell, for use in a browser. The files hold no data. */
export function shellRoutes(
  directory: string,
  frameOrigins: () => string[],
  appearance: () => ShellAppearance,
): Route[] {
  return [
    route(page, async () => {
      const nonce = randomBytes(16).toString('base64url');
      const html = await readFile(join(directory, 'index.html'), 'utf8');
      return new TextReply(filledShellPage(html, nonce, appearance()), {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': shellPolicy(nonce, frameOrigins()),
        'X-Content-Type-Options': 'nosniff',
        'X-DNS-Prefetch-Control': 'off',
        'Cache-Control': 'no-store',
        'Cross-Origin-Opener-Policy': 'same-origin',
      });
    }),
    route(asset, async ({ params }) => {
      const headers = {
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'public, max-age=31536000, immutable',
      };
      const isHidden = params.file.some((segment) => segment === '' || segment.startsWith('.'));
      const file = isHidden ? null : await openBelow(join(directory, 'assets'), params.file);
      if (file === null) throw new HostError('missing', 'not_found', msg('request.noSuchFile'));
      return new FileReply(file, params.file.at(-1) ?? '', headers);
    }),
  ];
}
