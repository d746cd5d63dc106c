import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { localOrigins, pagePolicy, shellPolicy } from '../../service/contract/index.ts';
import type { FakeHost } from './fake-host.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Serves a file of the built shell, with the content security policy of the service. */
export async function shellFile(
  { shell, port, host }: { shell: string; port: number; host: FakeHost },
  path: string,
  response: ServerResponse,
): Promise<void> {
  const file = join(shell, normalize(path === '/' ? '/index.html' : path));
  const bytes = await readFile(file).catch(() => null);
  if (!bytes) return void response.writeHead(404).end();
  const nonce = randomBytes(16).toString('base64');
  const isPage = file.endsWith('.html');
  response.writeHead(200, {
    'Content-Type': types[extname(file)] ?? 'application/octet-stream',
    'Referrer-Policy': 'no-referrer',
    ...(isPage ? { 'Content-Security-Policy': shellPolicy(nonce, frameOrigins(port)) } : {}),
  });
  if (!isPage) return void response.end(bytes);
  const { theme, language, sidebarCollapsed } = host.settings;
  const settingsText = `${theme} ${language}${sidebarCollapsed ? ' collapsed' : ''}`;
  const appearance = host.setup.initialized ? settingsText : 'setup';
  const filled = { __STYLE_NONCE__: nonce, __SHELL_LOOK__: appearance };
  const written = (name: string) => filled[name as keyof typeof filled];
  response.end(bytes.toString('utf8').replace(/__(STYLE_NONCE|SHELL_LOOK)__/g, written));
}

const frameOrigins = (port: number) => ["'self'", ...localOrigins(port)];

/** Serves a file of a plugin page, or of the plugin client. */
export async function pluginFile(
  host: FakeHost,
  path: string,
  clientDirectory: string,
  response: ServerResponse,
): Promise<void> {
  const [, , id = '', ...rest] = path.split('/');
  const file = rest.join('/');
  const text = file.startsWith('_host/')
    ? await readFile(join(clientDirectory, normalize(`/${rest.slice(1).join('/')}`)), 'utf8')
    : host.pages.get(`${id}/${file}`);
  if (text === undefined) return void response.writeHead(404).end();
  response.writeHead(200, {
    'Content-Type': types[extname(file)] ?? 'text/plain',
    'Access-Control-Allow-Origin': '*',
    ...(file.endsWith('.html') ? { 'Content-Security-Policy': pagePolicy(["'self'"]) } : {}),
  });
  response.end(text);
}
