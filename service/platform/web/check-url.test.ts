import { describe, expect, it } from 'vitest';
import { checkUrl } from './check-url.ts';
import { resolveAllowed } from './resolve-allowed.ts';
import { publicOnly, type NetworkPolicy } from './network-policy.ts';

const allowed = publicOnly(['10.0.0.5:8080', '[::1]:9000', '127.0.0.1:80', '10.0.0.5:25']);
const loopback: NetworkPolicy = { loopback: true, private: false, allow: [] };
const inner: NetworkPolicy = { loopback: false, private: true, allow: [] };

const refused = expect.objectContaining({ kind: 'invalid', code: 'address_refused' }) as Error;
const to = (...addresses: string[]) => ({
  lookup: () => Promise.resolve(addresses.map((address) => ({ address }))),
});

describe('the network policy of an address', () => {
  it.each([
    ['http://10.0.0.5:8080/x', allowed],
    ['http://[::ffff:10.0.0.5]:8080/', allowed],
    ['http://10.0.0.5:25/', allowed],
    ['http://[0:0::1]:9000/', allowed],
    ['http://localhost:9000/', allowed],
    ['http://2130706433/', allowed],
    ['http://127.0.0.1/', loopback],
    ['http://0:3000/', loopback],
    ['https://[::1]/', loopback],
    ['http://192.168.1.1/', inner],
    ['http://[fd00::1]/', inner],
  ])('takes in %s (%#)', (url, networkPolicy) => {
    expect(checkUrl(url, networkPolicy).href).toBe(new URL(url).href);
  });

  it.each([
    ['http://10.0.0.5/', allowed],
    ['http://10.0.0.6:8080/', allowed],
    ['http://[::1]/', allowed],
    ['https://127.0.0.1/', allowed],
    ['http://localhost:9001/', allowed],
    ['http://10.0.0.5/', loopback],
    ['http://169.254.169.254/', loopback],
    ['http://127.0.0.1:25/', loopback],
    ['http://127.0.0.1/', inner],
    ['http://0.0.0.0/', inner],
    ['http://[::]/', inner],
    ['http://[::ffff:127.0.0.1]/', inner],
    ['http://[2002:7f00:1::]/', inner],
    ['http://localhost/', inner],
    [`http://${'a'.repeat(254)}/`, loopback],
    ['/relative', loopback],
    ['', loopback],
  ])('leaves out %s (%#)', (url, networkPolicy) => {
    expect(() => checkUrl(url, networkPolicy)).toThrow(refused);
  });

  it('resolves the addresses of a name, with its port', async () => {
    const resolve = (text: string, networkPolicy: NetworkPolicy, ...addresses: string[]) =>
      resolveAllowed(checkUrl(text, networkPolicy), networkPolicy, to(...addresses).lookup);
    expect(
      await resolve('http://in.test:8080/', allowed, '10.0.0.5', '10.0.0.5', '8.8.8.8'),
    ).toEqual([
      { address: '10.0.0.5', family: 4 },
      { address: '8.8.8.8', family: 4 },
    ]);
    expect(await resolve('http://in.test/', inner, 'fd00::1')).toEqual([
      { address: 'fd00::1', family: 6 },
    ]);
    expect(await resolve('http://in.test:25/', allowed, '10.0.0.5')).toHaveLength(1);
    await expect(resolve('http://in.test:25/', allowed, '8.8.8.8')).rejects.toThrow(refused);
    await expect(resolve('http://in.test:80/', allowed, '10.0.0.5')).rejects.toThrow(refused);
    await expect(resolve('http://in.test/', inner, '10.0.0.5', '127.0.0.1')).rejects.toThrow(
      refused,
    );
    await expect(resolve('http://in.test/', inner, 'no address')).rejects.toThrow(refused);
  });
});
