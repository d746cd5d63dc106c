import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { serveWeb } from './web-server.ts';

/** A server of releases. */
export interface UpdateServer {
  base: string;
  /** `ip:port` in the format of `host.web.allow`. */
  allow: string;
  /** Requested paths, in order. */
  asked: string[];
  /**
   * Serves a release of `win-zip` for this machine with these bytes as its package; `fields`
   * overrides the description.
   */
  offer(bytes: Buffer, fields?: Record<string, unknown>, key?: KeyObject): void;
  /** Handlers by path, which override files. */
  answers: Map<string, RequestListener>;
  close(): Promise<void>;
}

export const offeredFile = 'plugin-host-next.zip';
export const descriptionOf = (build = 'win-zip'): string => `/update-${build}-${process.arch}.json`;

/** Starts a server with a folder of releases. */
export async function startUpdateServer(): Promise<UpdateServer> {
  const answers = new Map<string, RequestListener>();
  const asked: string[] = [];
  const server = await serveWeb((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    asked.push(path);
    // electron-updater adds a cache-busting query.
    const answer = answers.get(/^\/latest.*\.yml/.test(path) ? 'latest' : path);
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  return {
    base: server.base,
    allow: server.allow,
    asked,
    answers,
    offer(bytes, fields = {}, key) {
      const release = releaseOf(bytes, fields);
      const signature = key && signatureOf(release, key);
      const { build } = release as { build: string };
      const body = JSON.stringify({ ...(signature ? { signature } : {}), ...release, ...fields });
      answers.set(descriptionOf(build), (_request, response) => response.end(body));
      answers.set(`/${String(release['file'])}`, (_request, response) => response.end(bytes));
    },
    close: () => server.close(),
  };
}

function releaseOf(bytes: Buffer, fields: Record<string, unknown>): Record<string, unknown> {
  return {
    product: 'plugin-host',
    build: 'win-zip',
    arch: process.arch,
    version: '99.1.0',
    file: offeredFile,
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    ...fields,
  };
}

/** Independent of the product's implementation. */
function signatureOf(release: Record<string, unknown>, key: KeyObject): string {
  const names = ['product', 'build', 'arch', 'version', 'file', 'sizeBytes', 'sha256'];
  const text = `update 1\n${names.map((name) => `${String(release[name])}\n`).join('')}`;
  return sign(null, Buffer.from(text), key).toString('base64');
}

/** A signing key of releases. */
export interface ReleaseKeys {
  key: KeyObject;
  /** Public key in the format of packages. */
  publicKey: string;
}

export function releaseKeys(): ReleaseKeys {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const bytes = publicKey.export({ format: 'der', type: 'spki' });
  return { key: privateKey, publicKey: bytes.toString('base64') };
}

/** Packs files like a portable zip: everything at its root. */
export async function packProgram(files: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), name, { mode: 0o100755 });
  zip.end();
  return buffer(zip.outputStream);
}
