import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  isSignedBy,
  readPublicKey,
} from '../../service/features/plugins/packages/package-signature.ts';
import { writePackage } from '../../service/testing/packages.ts';
import { useFolder } from '../../service/testing/use-for-file.ts';
import { runProgram } from '../cli/program.ts';

const folder = await useFolder('published-');
let catalog: string;
let count = 0;
beforeEach(() => {
  count += 1;
  catalog = join(folder, `catalog-${count}`);
});

async function packageOf(version: string, permissions: string[] = []): Promise<string> {
  const file = join(folder, `acme-${count}-${version}.plugin`);
  await writePackage(file, { manifest: { id: 'acme.words', version, permissions } });
  return file;
}

async function publish(...args: string[]) {
  const output: string[] = [];
  const add = (line: string): void => void output.push(line);
  const code = await runProgram(['publish', `--catalog=${catalog}`, ...args], {
    print: add,
    printStatus: add,
  });
  return { code, output: output.join('\n') };
}

interface Entry {
  id: string;
  version: string;
  package: string;
  sha256: string;
  signature?: string;
}

const entries = async (): Promise<Entry[]> =>
  (JSON.parse(await readFile(join(catalog, 'catalog.json'), 'utf8')) as { plugins: Entry[] })
    .plugins;

describe('publishing a package', () => {
  test('lists it with its checksum, and copies it beside the catalog', async () => {
    const file = await packageOf('1.0.0');
    expect(await publish(file)).toMatchObject({ code: 0 });
    const [entry] = await entries();
    expect(entry).toMatchObject({ id: 'acme.words', package: 'acme.words-1.0.0.plugin' });
    expect(await readFile(join(catalog, 'acme.words-1.0.0.plugin'))).toEqual(await readFile(file));
    const sidecar = await readFile(join(catalog, 'acme.words-1.0.0.plugin.sha256'), 'utf8');
    expect(sidecar).toBe(`${entry?.sha256 ?? ''}  acme.words-1.0.0.plugin\n`);
  });

  test('needs a newer version, and keeps the rest of the catalog', async () => {
    await publish(await packageOf('1.9.0'));
    const file = join(catalog, 'catalog.json');
    const content = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ name: 'Acme', ...content }));
    for (const version of ['1.9.0', '1.8.9', '1.9.0-rc.1']) {
      const { code, output } = await publish(await packageOf(version));
      expect(code).toBe(1);
      expect(output).toContain(`${version} is not newer than 1.9.0`);
      expect(output).toContain('Raise the version');
    }
    expect((await entries()).map(({ version }) => version)).toEqual(['1.9.0']);
    expect(await publish(await packageOf('1.10.0'))).toMatchObject({ code: 0 });
    expect((await entries()).map(({ version }) => version)).toEqual(['1.10.0']);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ name: 'Acme' });
  });

  test('says what to do about a package that is not there', async () => {
    const { code, output } = await publish(join(folder, 'missing.plugin'));
    expect(code).toBe(1);
    expect(output).toMatch(
      /missing\.plugin: There is no such file\. plugin-host-plugin pack makes/,
    );
  });

  test('reports a folder, and each key that cannot sign', async () => {
    const { code, output } = await publish(folder);
    expect(code).toBe(1);
    expect(output).toContain('This is a folder. Make a package of it first');
    const file = join(folder, `public-${count}.pem`);
    const { publicKey } = generateKeyPairSync('ed25519');
    await writeFile(file, publicKey.export({ type: 'spki', format: 'pem' }));
    const version = await packageOf('1.0.0');
    expect((await publish(version, `--sign=${file}`)).output).toContain('is the public half');
    expect((await publish(version, '--sign=nowhere.pem')).output).toContain('no file nowhere.pem');
  });

  test('does not replace a signed version by an unsigned one', async () => {
    const file = join(folder, `key-of-${count}.pem`);
    const { privateKey } = generateKeyPairSync('ed25519');
    await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await publish(await packageOf('1.0.0'), `--sign=${file}`);
    const { code, output } = await publish(await packageOf('1.1.0'));
    expect(code).toBe(1);
    expect(output).toContain('1.0.0 in the catalog is signed, so 1.1.0 must be, too');
    expect((await entries()).map(({ version }) => version)).toEqual(['1.0.0']);
    expect(await publish(await packageOf('1.1.0'), `--sign=${file}`)).toMatchObject({ code: 0 });
  });

  test('reports new and removed permissions', async () => {
    await publish(await packageOf('1.0.0', ['files.read']));
    const { output } = await publish(await packageOf('1.1.0', ['network']));
    expect(output).toContain('asks for more than before: network');
    expect(output).toContain('asks no more for: files.read');
  });

  test('creates signatures that the public key of a source verifies, for this package alone', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const key = join(folder, 'key.pem');
    await writeFile(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    expect((await publish(await packageOf('1.0.0'), `--sign=${key}`)).output).toContain('signed');
    const [entry] = await entries();
    const { id = '', version = '', sha256 = '', signature = '' } = entry ?? {};
    const found = readPublicKey(publicKey.export({ type: 'spki', format: 'pem' }).toString());
    if (found === null) throw new Error('The key cannot be read.');
    const signed = { id, version, sha256 };
    expect(isSignedBy(found, signed, signature)).toBe(true);
    expect(isSignedBy(found, { ...signed, version: '1.0.1' }, signature)).toBe(false);
    expect(isSignedBy(found, { ...signed, id: 'acme.other' }, signature)).toBe(false);
    expect(isSignedBy(found, { ...signed, sha256: '0'.repeat(64) }, signature)).toBe(false);
    expect(isSignedBy(found, signed, 'AAAA')).toBe(false);
  });

  test('explains what to do about an invalid key, package or catalog', async () => {
    const file = await packageOf('1.0.0');
    expect(await publish(file, `--sign=${file}`)).toMatchObject({
      code: 1,
      output: expect.stringContaining('openssl genpkey -algorithm ed25519') as string,
    });
    const text = join(folder, 'no.plugin');
    await writeFile(text, 'no zip');
    expect(await publish(text, file)).toMatchObject({ code: 1 });
    expect(await entries()).toHaveLength(1);
    await writeFile(join(catalog, 'catalog.json'), '[]');
    expect(await publish(file)).toMatchObject({
      code: 1,
      output: expect.stringContaining('is no catalog') as string,
    });
  });

  test('refuses a package that no host would take, and one whose checksum is of another', async () => {
    const official = join(folder, 'official.plugin');
    await writePackage(official, { manifest: { id: 'host.words' } });
    expect((await publish(official)).output).toContain('official');
    const file = await packageOf('1.0.0');
    await writeFile(`${file}.sha256`, `${'0'.repeat(64)}  x\n`);
    expect((await publish(file)).output).toContain('checksum');
    expect(await publish()).toMatchObject({ code: 2 });
  });
});
