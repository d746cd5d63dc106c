import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { expect, test as it } from '@playwright/test';
import { launchChromium } from '../renderer-shell/testing/launch-chromium.ts';
import { api } from '../service/contract/index.ts';
import { packPlugin } from '../service/testing/packages.ts';
import { startTestHost, type TestHost } from '../service/testing/test-host.ts';

const id = 'acme.peer';
/** The argument of `setWebRTCIPHandlingPolicy` in `main/desktop/guards.ts`. */
const desktopPolicy = 'disable_non_proxied_udp';
/** Two peers in one page that exchange their ICE candidates; `STUN` is a test server. */
const peers = `
const seen = { candidates: 0, states: [], opened: false };
const tell = (outcome) => parent.postMessage({ ...seen, outcome }, '*');
const iceServers = [{ urls: 'stun:127.0.0.1:STUN' }];
try {
  const [one, other] = [new RTCPeerConnection({ iceServers }), new RTCPeerConnection({ iceServers })];
  for (const [from, to] of [[one, other], [other, one]]) {
    from.onicecandidate = ({ candidate }) => {
      if (!candidate?.candidate) return;
      seen.candidates += 1;
      to.addIceCandidate(candidate);
    };
    from.onconnectionstatechange = () => {
      seen.states.push(from.connectionState);
      if (['failed', 'closed'].includes(from.connectionState)) tell('ended');
    };
    from.onicegatheringstatechange = () => {
      const gathered = [one, other].every(({ iceGatheringState }) => iceGatheringState === 'complete');
      if (gathered && seen.candidates === 0) tell('ended');
    };
  }
  const channel = one.createDataChannel('out');
  channel.onopen = () => { seen.opened = true; tell('ended'); };
  (async () => {
    await one.setLocalDescription();
    await other.setRemoteDescription(one.localDescription);
    await other.setLocalDescription();
    await one.setRemoteDescription(other.localDescription);
  })().catch((error) => { seen.error = String(error); tell('ended'); });
} catch (error) {
  seen.error = String(error);
  tell('ended');
}
`;

let host: TestHost;
let stun: Socket;
let plain: Server;
let browser: Browser;
let locked: Browser;
let datagrams = 0;
it.beforeAll(async () => {
  stun = createSocket('udp4').on('message', () => (datagrams += 1));
  stun.bind(0, '127.0.0.1');
  await once(stun, 'listening');
  const script = peers.replace('STUN', String(stun.address().port));
  const page = '<!doctype html><title>Peers</title><script type="module" src="peers.js"></script>';
  host = await startTestHost();
  const files = { 'ui/index.html': page, 'ui/peers.js': script };
  const file = new Blob([new Uint8Array(await packPlugin({ manifest: { id }, files }))]);
  await host.client.call(api.market.upload, { file });
  plain = createServer((request, response) => {
    const isScript = request.url?.endsWith('.js') === true;
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : page);
  }).listen(0, '127.0.0.1');
  await once(plain, 'listening');
  browser = await launchChromium();
  locked = await launchChromium([`--force-webrtc-ip-handling-policy=${desktopPolicy}`]);
});
it.afterAll(async () => {
  await Promise.all([browser.close(), locked.close()]);
  plain.close();
  stun.close();
  await host.close();
});

interface FrameReport {
  outcome: string;
  candidates: number;
  opened: boolean;
  states: string[];
  error?: string;
  isPolicySupported: boolean;
}

/** Returns the page's report when it is framed as in the shell. */
async function framed(address: string, by = browser): Promise<FrameReport> {
  const page = await by.newPage();
  const messages: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  try {
    const shell = new URL('/framing', address).href;
    await page.route(shell, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Shell</title>' }),
    );
    await page.goto(shell);
    const seen = await page.evaluate(
      (src) =>
        new Promise<FrameReport>((resolve) => {
          addEventListener('message', ({ data }) => resolve(data as FrameReport));
          const frame = document.createElement('iframe');
          frame.setAttribute('sandbox', 'allow-scripts');
          frame.src = src;
          document.body.append(frame);
        }),
      address,
    );
    const isUnknown = messages.some((text) => /Unrecognized .* directive 'webrtc'/.test(text));
    return { ...seen, isPolicySupported: !isUnknown };
  } finally {
    await page.close();
  }
}

const pluginPage = (): string => `http://127.0.0.1:${host.port}/plugin-runtime/${id}/index.html`;

it('an unrestricted page makes a peer connection, which these tests detect', async () => {
  const free = await framed(`http://127.0.0.1:${(plain.address() as AddressInfo).port}/`);
  expect(free).toMatchObject({ opened: true });
  expect(free.candidates).toBeGreaterThan(0);
  expect(datagrams).toBeGreaterThan(0);
});

it('a plugin page under the policy of the desktop gathers nothing, and no packet leaves', async () => {
  const before = datagrams;
  expect(await framed(pluginPage(), locked)).toMatchObject({ opened: false, candidates: 0 });
  expect(datagrams).toBe(before);
});

it('a browser that knows the directive of the page policy lets no plugin page connect; one that does not says so', async () => {
  const before = datagrams;
  const { isPolicySupported, opened, candidates } = await framed(pluginPage());
  expect({ opened, candidates: candidates > 0, packets: datagrams > before }).toEqual({
    opened: !isPolicySupported,
    candidates: !isPolicySupported,
    packets: !isPolicySupported,
  });
});
