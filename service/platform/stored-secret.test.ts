import { describe, expect, it } from 'vitest';
import { changedSecret, isLost, masked, openSecret } from './stored-secret.ts';
import { createSecrets } from './secrets.ts';

const secrets = createSecrets('a key of this machine');
const others = createSecrets('a key of another machine');
const nothing = openSecret(secrets, '');

describe('a stored secret', () => {
  it('is encrypted in the store, and keeps its ciphertext while it is unchanged', () => {
    const secret = changedSecret(secrets, nothing, 'my key');
    expect(secret.stored).toMatch(/^ENC\(/);
    expect(openSecret(secrets, secret.stored)).toEqual(secret);
    for (const same of ['my key', '***', 'my***ey'])
      expect(changedSecret(secrets, secret, same)).toBe(secret);
    expect(changedSecret(secrets, secret, 'other').text).toBe('other');
    expect(changedSecret(secrets, secret, '')).toEqual({ text: '', stored: '' });
    expect(isLost(secret) || isLost(nothing)).toBe(false);
  });

  it('that cannot be read is lost, and stays stored until it is replaced', () => {
    const { stored } = changedSecret(others, nothing, 'my key');
    const lost = openSecret(secrets, stored);
    expect(lost).toEqual({ text: '', stored });
    expect(isLost(lost)).toBe(true);
    for (const maskedText of ['', '***'])
      expect(changedSecret(secrets, lost, maskedText)).toBe(lost);
    expect(openSecret(others, stored).text).toBe('my key');
    expect(isLost(changedSecret(secrets, lost, 'again'))).toBe(false);
    expect(isLost(openSecret(secrets, 'in the clear'))).toBe(true);
  });

  it('is completely masked if it is short', () => {
    expect(masked('')).toBe('');
    for (const short of ['a', 'abcd', '123456789012345']) expect(masked(short)).toBe('***');
    expect(masked('1234567890123456')).toBe('1234***3456');
  });
});
