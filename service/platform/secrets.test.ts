import { createDecipheriv, createHash } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSecrets, isEncrypted, readMachineId, type SecretPurpose } from './secrets.ts';

const machineId = '0123456789abcdef0123456789abcdef';
const secrets = createSecrets(machineId);
const bytesOf = (wrapped: string): Buffer => Buffer.from(wrapped.slice(4, -1), 'base64');
const wrap = (bytes: Buffer): string => `ENC(${bytes.toString('base64')})`;

describe('an encrypted secret', () => {
  it.each(['', 'x', 'pässword \u{1f511}', 'a)b(c', 'line\nline\0', 'long'.repeat(10_000)])(
    'comes back as it was [SECRET-04]',
    (text) => {
      for (const purpose of ['datasource', 'secret'] as const) {
        const wrapped = secrets.encrypt(purpose, text);
        expect(isEncrypted(wrapped)).toBe(true);
        expect(secrets.decrypt(purpose, wrapped)).toBe(text);
      }
    },
  );

  it('is AES-256-GCM with 12 bytes of nonce and 16 of tag, keyed by SHA-256 of prefix and machine id [SECRET-04, SECRET-06, SETUP-27]', () => {
    const prefixes: [SecretPurpose, string][] = [
      ['datasource', 'host-datasource:'],
      ['secret', 'host-secret:'],
    ];
    for (const [purpose, prefix] of prefixes) {
      const bytes = bytesOf(secrets.encrypt(purpose, 'hunter2'));
      const key = createHash('sha256')
        .update(prefix + machineId)
        .digest();
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(-16));
      const text = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
      expect(text.toString('utf8')).toBe('hunter2');
    }
  });

  it('has its own nonce, ten thousand times (C-04)', () => {
    const nonces = new Set<string>();
    for (let i = 0; i < 10_000; i += 1)
      nonces.add(bytesOf(secrets.encrypt('secret', 'same')).subarray(0, 12).toString('hex'));
    expect(nonces.size).toBe(10_000);
  });

  it('with any flipped bit is refused, never garbage (C-04) [SECRET-04]', () => {
    const bytes = bytesOf(secrets.encrypt('datasource', 'hunter2'));
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const turned = Buffer.from(bytes);
      turned[bit >> 3]! ^= 1 << (bit & 7);
      expect(secrets.decrypt('datasource', wrap(turned)), `bit ${bit}`).toBeNull();
    }
  });

  it('that is truncated, extended or invalid is refused', () => {
    const wrapped = secrets.encrypt('secret', 'hunter2');
    const bytes = bytesOf(wrapped);
    for (let length = 0; length < bytes.length; length += 1)
      expect(secrets.decrypt('secret', wrap(bytes.subarray(0, length)))).toBeNull();
    const longer = wrap(Buffer.concat([bytes, Buffer.from([0])]));
    for (const text of [
      longer,
      '',
      'hunter2',
      'ENC()',
      'ENC(',
      `${wrapped} `,
      wrapped.slice(0, -1),
    ])
      expect(secrets.decrypt('secret', text), text).toBeNull();
  });

  it('of one purpose cannot be used for the other', () => {
    const wrapped = secrets.encrypt('datasource', 'hunter2');
    expect(secrets.decrypt('secret', wrapped)).toBeNull();
  });

  it('cannot be read with another key [SECRET-11]', () => {
    const wrapped = secrets.encrypt('secret', 'hunter2');
    for (const key of [`${machineId}0`, machineId.toUpperCase(), '']) {
      expect(createSecrets(key).decrypt('secret', wrapped)).toBeNull();
    }
    expect(createSecrets(machineId).decrypt('secret', wrapped)).toBe('hunter2');
  });
});

describe('the id of the machine', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'machine-id-'));
    file = join(folder, 'config', '.machineid');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is random, stored for the owner only, and then stays the same [SECRET-05]', async () => {
    const id = await readMachineId(file);
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readMachineId(file)).toBe(id);
    expect(await readMachineId(join(folder, 'other', '.machineid'))).not.toBe(id);
  });

  it('that was created manually is used, without its line end', async () => {
    await readMachineId(file);
    await writeFile(file, '  my own id \r\n');
    expect(await readMachineId(file)).toBe('my own id');
    expect(await readFile(file, 'utf8')).toBe('  my own id \r\n');
  });

  it('that others could read is then readable only by the owner', async () => {
    const id = await readMachineId(file);
    await chmod(file, 0o644);
    expect(await readMachineId(file)).toBe(id);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it.each(['', ' \n'])('that is empty is created again: %j', async (text) => {
    await readMachineId(file);
    await writeFile(file, text);
    const id = await readMachineId(file);
    expect(id).toMatch(/^[0-9a-f]{64}$/);
    expect(await readMachineId(file)).toBe(id);
  });

  it('that is garbage is a key like any other, and stays unchanged', async () => {
    await readMachineId(file);
    const garbage = Buffer.from(Array.from({ length: 64 }, (_, i) => (i * 197) % 256));
    await writeFile(file, garbage);
    const id = await readMachineId(file);
    expect(await readMachineId(file)).toBe(id);
    expect((await readFile(file)).equals(garbage)).toBe(true);
  });

  it('that cannot be read is not replaced, and the error contains advice', async () => {
    const refused = {
      code: 'machine_id_unreadable',
      message: expect.stringMatching(/Restore the file/) as unknown,
    };
    await expect(readMachineId(folder)).rejects.toMatchObject(refused);
    await readMachineId(file);
    await writeFile(file, 'x'.repeat(5_000));
    await expect(readMachineId(file)).rejects.toMatchObject(refused);
    expect((await stat(file)).size).toBe(5_000);
  });
});
