import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { serveWeb, type WebServer } from '../web-server.ts';
import type { GitRepository } from './git-repository.ts';

/** A server of Git repositories. */
export interface GitServer extends WebServer {
  /** Returns the address of a repository: `<base>/<name>.git`. */
  urlOf(name: string): string;
  /**
   * Returns its address as plain files, for git's dumb protocol; needs `git update-server-info`.
   */
  plainUrlOf(name: string): string;
  /** Requests so far, as `GET /path?query`. */
  asked: string[];
  /** Called first; returning true keeps the request from git until `goOn` is called. */
  instead: (req: IncomingMessage, res: ServerResponse, goOn: () => void) => boolean;
}

/** Serves repositories over the smart protocol with `git http-backend`. */
export async function startGitServer(
  repositories: Record<string, GitRepository>,
): Promise<GitServer> {
  // Uses the real git even if PATH changes while the server is running.
  const path = process.env['PATH'] ?? '';
  const answer: RequestListener = (req, res) => {
    server.asked.push(`${req.method} ${req.url}`);
    if (!server.instead(req, res, () => handOn(req, res))) handOn(req, res);
  };
  const handOn: RequestListener = (req, res) => {
    const { pathname, search } = new URL(req.url ?? '/', 'http://localhost');
    const [, name = '', rest = ''] = /^\/([\w-]+)\.git(\/.*)$/.exec(pathname) ?? [];
    const repository = repositories[name.replace(/^plain-/, '')];
    if (!repository) res.writeHead(404).end();
    else if (name.startsWith('plain-')) sendFile(join(repository.folder, '.git', rest), res);
    else askGit(req, res, { PATH: path, ...variables(req, repository, { rest, search }) });
  };
  const server: GitServer = {
    ...(await serveWeb(answer)),
    urlOf: (name) => `${server.base}/${name}.git`,
    plainUrlOf: (name) => `${server.base}/plain-${name}.git`,
    asked: [],
    instead: () => false,
  };
  return server;
}

function sendFile(file: string, res: ServerResponse): void {
  readFile(file).then(
    (bytes) => res.end(bytes),
    () => res.writeHead(404).end(),
  );
}

function variables(
  { method = 'GET', headers }: IncomingMessage,
  { folder }: GitRepository,
  { rest, search }: { rest: string; search: string },
): Record<string, string> {
  const text = (name: string): string => String(headers[name] ?? '');
  return {
    HOME: folder,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_PROJECT_ROOT: folder,
    GIT_PROTOCOL: text('git-protocol'),
    PATH_INFO: `/.git${rest}`,
    QUERY_STRING: search.slice(1),
    REQUEST_METHOD: method,
    CONTENT_TYPE: text('content-type'),
    CONTENT_LENGTH: text('content-length'),
    HTTP_CONTENT_ENCODING: text('content-encoding'),
    REMOTE_ADDR: '127.0.0.1',
  };
}

/** Handles one request over CGI. */
function askGit(req: IncomingMessage, res: ServerResponse, env: Record<string, string>): void {
  const git = spawn('git', ['http-backend'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  req.pipe(git.stdin);
  git.stdin.on('error', () => undefined);
  res.on('close', () => git.kill());
  let head = Buffer.alloc(0);
  let inBody = false;
  git.stdout.on('data', (chunk: Buffer) => {
    if (inBody) return void res.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    inBody = true;
    const lines = head.toString('latin1', 0, end).split('\r\n');
    for (const line of lines) {
      const [name = '', ...value] = line.split(':');
      if (name === 'Status') res.statusCode = Number.parseInt(value.join(':'), 10);
      else res.setHeader(name, value.join(':').trim());
    }
    res.write(head.subarray(end + 4));
  });
  git.stdout.on('end', () => res.end());
}
