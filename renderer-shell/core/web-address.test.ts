import { describe, expect, it } from 'vitest';
import { webAddress } from './web-address.ts';

describe('the address of a link in third-party text', () => {
  it.each([
    'https://example.org',
    'http://example.org:8080/a?b=c@d#e@f',
    'HTTPS://EXAMPLE.ORG/@someone',
    'https://example.org/a:b@c',
  ])('is live: %s', (text) => {
    expect(webAddress(text)?.href).toBe(new URL(text).href);
  });

  it.each([
    'https://bank.example@evil.test',
    'https://bank.example:443@evil.test/',
    'https://user:pw@host',
    'https://:pw@host',
    'https:///bank.example@evil.test',
    'https://\\bank.example@evil.test',
    'https://bank\n.example@evil.test',
    'https://bank.example%2f@evil.test',
    'http://a@b@c',
    'https:user@host',
    'javascript://host/%0aalert(1)',
    'ftp://host',
    '//host',
    'host',
    'https://',
    '',
  ])('stays text: %j', (text) => {
    expect(webAddress(text)).toBeNull();
  });
});
