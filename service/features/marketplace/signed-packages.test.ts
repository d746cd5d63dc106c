import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../client/index.ts';
import { api, type PluginStoreSource } from '../../contract/index.ts';
import { sha256Of } from '../../platform/sha256-of.ts';
import { writePackage } from '../../testing/packages.ts';
import { startTestHost } from '../../testing/test-host.ts';
import { useForFile } from '../../testing/use-for-file.ts';
import { signedBytes } from '../plugins/index.ts';

const host = await useForFile(startTestHost());
const own = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

let count = 0;
let id: string;
beforeEach(() => {
  count += 1;
  id = `acme.signed-${count}`;
});

interface Signing {
  key: KeyObject;
  /** Version to sign in place of the package's own. */
  version?: string;
}

async function subscribe(signing: Signing | null, publicKey?: string): Promise<PluginStoreSource> {
  const name = `signed-${count}.plugin`;
  const file = join(host.workDirectory, name);
  await writePackage(file, { manifest: { id, version: '1.0.0' } });
  const sha256 = await sha256Of(file);
  const entry: Record<string, unknown> = { id, name: id, version: '1.0.0', package: name, sha256 };
  if (signing !== null) {
    const signed = { id, version: signing.version ?? '1.0.0', sha256 };
    entry['signature'] = sign(null, signedBytes(signed), signing.key).toString('base64');
  }
  const catalog = join(host.workDirectory, `signed-${count}.json`);
  await writeFile(catalog, JSON.stringify({ name: `Signed ${count}`, plugins: [entry] }));
  const body = { url: pathToFileURL(catalog).href, publicKey };
  return host.client.call(api.store.addSource, { body });
}

const install = (): Promise<string> =>
  host.client.call(api.market.install, { params: { id } }).then(
    () => 'installed',
    (error: unknown) => (error instanceof ServiceError ? error.problem.code : String(error)),
  );

describe('a source with a public key', () => {
  it('installs packages that are signed with it', async () => {
    const source = await subscribe({ key: own.privateKey }, pemOf(own.publicKey));
    expect(source.publicKey).toBe(pemOf(own.publicKey));
    const der = own.publicKey.export({ type: 'spki', format: 'der' });
    const fingerprint = createHash('sha256').update(der).digest('base64').replace(/=$/, '');
    const listed = { name: `Signed ${count}`, fingerprint: `SHA256:${fingerprint}` };
    expect((await host.client.call(api.market.details, { params: { id } })).signedBy).toEqual(
      listed,
    );
    expect(await install()).toBe('installed');
    expect((await host.client.call(api.market.details, { params: { id } })).signedBy).toEqual(
      listed,
    );
  });

  it('installs nothing without a signature', async () => {
    await subscribe(null, pemOf(own.publicKey));
    expect(await install()).toBe('signature_required');
  });

  it.each<[string, Signing]>([
    ['of another key', { key: other.privateKey }],
    ['for another version', { key: own.privateKey, version: '1.0.1' }],
  ])('has nothing installed with a signature %s', async (_what, signing) => {
    await subscribe(signing, pemOf(own.publicKey));
    const details = await host.client.call(api.market.details, { params: { id } });
    expect(details.signedBy).toBeUndefined();
    expect(await install()).toBe('signature_mismatch');
  });

  it('keeps its key over a restart, and then checks packages as before', async () => {
    const first = await startTestHost();
    const catalog = join(first.workDirectory, 'c.json');
    await writeFile(catalog, JSON.stringify({ name: 'Kept', plugins: [] }));
    const body = { url: pathToFileURL(catalog).href, publicKey: pemOf(own.publicKey) };
    await first.client.call(api.store.addSource, { body });
    await first.stop();
    const second = await startTestHost({ workDirectory: first.workDirectory });
    const sources = await second.client.call(api.store.sources);
    expect(sources.at(-1)).toMatchObject({ name: 'Kept', publicKey: pemOf(own.publicKey) });
    await second.close();
  });

  it('is refused if the key is invalid', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    for (const key of ['nonsense', pemOf(rsa.publicKey)])
      await expect(subscribe(null, key)).rejects.toThrow('publicKey is not an Ed25519 key');
  });
});

it('without a public key no signature is required, and an entry with a broken one is left out', async () => {
  await subscribe({ key: other.privateKey });
  expect(await install()).toBe('installed');
  const catalog = join(host.workDirectory, 'broken.json');
  const written = await readFile(join(host.workDirectory, `signed-${count}.json`), 'utf8');
  await writeFile(catalog, written.replace(/"signature":"[^"]*"/, '"signature":"short"'));
  const body = { url: pathToFileURL(catalog).href };
  const source = await host.client.call(api.store.addSource, { body });
  expect(source.warnings[0]?.reason).toContain('signature');
});
