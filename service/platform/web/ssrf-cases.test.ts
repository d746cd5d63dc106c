import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import cases from '../../testing/ssrf-cases.json' with { type: 'json' };
import { serveWeb, type WebServer } from '../../testing/web-server.ts';
import { checkUrl } from './check-url.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { type CheckedAddress, type Lookup, resolveAllowed } from './resolve-allowed.ts';
import { publicOnly } from './network-policy.ts';

interface Row {
  id: string;
  url: string;
  why: string;
  expect: string;
  reason: string | null;
  resolvesTo?: string[];
  redirects?: string[];
  env?: Record<string, string>;
}

const rows = cases as Row[];

/** Message for each reason of the table. */
const expectedMessages: Record<string, RegExp> = {
  loopback: /resolves to this machine,/,
  unspecified: /resolves to this machine \(an unspecified address\)/,
  private: /resolves to a private network,/,
  'link-local': /resolves to a link-local network/,
  cgnat: /internal network of a provider/,
  special: /resolves to a reserved network/,
  '6to4': /6to4|this machine/,
  invalid: /not a web address/,
  dns: /was not found/,
  scheme: /Only http and https/,
  credentials: /user name or a password/,
  port: /Port 25 /,
};

let server: WebServer;
let sendTo = '';
beforeAll(async () => {
  server = await serveWeb((_req, res) => res.writeHead(302, { location: sendTo }).end());
});
afterAll(() => server.close());

const lookupOf =
  (row: Row): Lookup =>
  () =>
    Promise.resolve((row.resolvesTo ?? []).map((address) => ({ address })));

async function guard(row: Row): Promise<CheckedAddress[]> {
  const networkPolicy = publicOnly([]);
  return resolveAllowed(checkUrl(row.url, networkPolicy), networkPolicy, lookupOf(row));
}

/** The first hop is a server of this test instead of the public one. */
async function followTo(target: string): Promise<unknown> {
  sendTo = target;
  const networkPolicy = publicOnly([server.allow]);
  return guardedFetch(`${server.base}/b`, { networkPolicy, maxBytes: 1024, timeoutMs: 30_000 });
}

describe('the web guard', () => {
  const blocked = rows.filter((row) => row.expect === 'block' && !row.redirects);
  it.each(blocked)('refuses $url: $why ($id)', async (row) => {
    for (const [name, value] of Object.entries(row.env ?? {})) process.env[name] = value;
    try {
      await expect(guard(row)).rejects.toMatchObject({
        code: row.reason === 'dns' ? 'unreachable' : 'address_refused',
        message: expect.stringMatching(expectedMessages[row.reason ?? '']!),
      });
      const options = { networkPolicy: publicOnly([]), lookup: lookupOf(row) };
      await expect(
        guardedFetch(row.url, { ...options, maxBytes: 1024, timeoutMs: 30_000 }),
      ).rejects.toThrow(expectedMessages[row.reason ?? '']!);
    } finally {
      for (const name of Object.keys(row.env ?? {})) Reflect.deleteProperty(process.env, name);
    }
  });

  const allowed = rows.filter((row) => row.expect === 'allow');
  it.each(allowed)('lets $url through: $why ($id)', async (row) => {
    const literal = new URL(row.url).hostname.replace(/^\[|\]$/g, '');
    const expected = row.resolvesTo ?? [literal];
    expect((await guard(row)).map(({ address }) => address)).toEqual(expected);
  });

  const redirected = rows.filter((row) => row.redirects);
  it.each(redirected)('refuses the redirect to $redirects: $why ($id)', async (row) => {
    for (const target of row.redirects!) {
      await expect(followTo(target)).rejects.toMatchObject({
        code: 'address_refused',
        message: expect.stringMatching(expectedMessages[row.reason ?? '']!),
      });
    }
  });

  it('covers every row of the table', () => {
    expect(blocked.length + allowed.length + redirected.length).toBe(rows.length);
    expect(rows.length).toBeGreaterThan(45);
  });
});
