import { expect, it } from 'vitest';
import { api } from '../contract/index.ts';
import { startTestHost } from '../testing/test-host.ts';
import { useForFile } from '../testing/use-for-file.ts';

const host = await useForFile(startTestHost());

const frameAt = async (address: string) => {
  expect(address.startsWith(`${host.baseUrl}/answer-frame/`)).toBe(true);
  const reply = await fetch(address);
  const policy = (reply.headers.get('content-security-policy') ?? '').split('; ');
  return { status: reply.status, policy, text: await reply.text() };
};

it('frames of answers run scripts in no origin, and load nothing', async () => {
  const { page, diagram } = await host.client.call(api.answerFrames.show);
  for (const address of [page, diagram]) {
    const { status, policy, text } = await frameAt(address);
    expect(status).toBe(200);
    expect(policy).toEqual(
      expect.arrayContaining([
        'sandbox allow-scripts',
        "default-src 'none'",
        "connect-src 'none'",
        "webrtc 'block'",
        "form-action 'none'",
        "base-uri 'none'",
      ]),
    );
    expect(policy.join(' ')).not.toMatch(/allow-same-origin|https?:\/\/(?!127\.0\.0\.1|localhost)/);
    expect(text).not.toContain(host.token);
  }
  const { policy } = await frameAt(diagram);
  expect(policy).toContain("script-src 'self'");
});

it('contains only the frames and their script', async () => {
  const { diagram } = await host.client.call(api.answerFrames.show);
  expect((await fetch(`${diagram}.js`)).headers.get('content-type')).toContain('javascript');
  for (const name of ['other', '..%2Foptions.ts', 'diagram.js%00'])
    expect((await fetch(`${host.baseUrl}/answer-frame/${name}`)).status).toBeGreaterThanOrEqual(
      400,
    );
});
