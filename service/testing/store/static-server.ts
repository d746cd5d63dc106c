import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A static web server for tests. */
export interface StaticServer {
  baseUrl: string;
  /** Answers by path: text, bytes, or a handler. */
  files: Map<string, string | Buffer | ((req: IncomingMessage, res: ServerResponse) => void)>;
  /** Requests so far, as `GET /path`. */
  asked: string[];
  close(): Promise<void>;
}

/** Starts a small web server on loopback with ETags. */
export async function startStaticServer(): Promise<StaticServer> {
  const files: StaticServer['files'] = new Map();
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`);
    const file = files.get((req.url ?? '').split('?')[0] ?? '');
    if (file === undefined) {
      res.writeHead(404).end('Not here');
    } else if (typeof file === 'function') {
      file(req, res);
    } else {
      const etag = `"${Buffer.byteLength(file)}-${Buffer.from(file).subarray(-40).toString('hex')}"`;
      if (req.headers['if-none-match'] === etag) res.writeHead(304, { ETag: etag }).end();
      else res.writeHead(200, { 'Content-Type': 'application/json', ETag: etag }).end(file);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
