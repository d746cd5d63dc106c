import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { bridgeProtocolVersion } from '../../service/contract/index.ts';
import { buildPluginClient } from './build.ts';
import { createPluginClient, protocolVersion } from './create-plugin-client.ts';
import type { PageScope } from './port-arrival.ts';

interface Sent {
  id: number;
  method: string;
  params: Record<string, unknown>;
}

const ports: MessagePort[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const port of ports.splice(0)) port.close();
});

/** Creates a page with a parent window that only records messages. */
function makePage(pathname = '/plugin-runtime/com.example.a/index.html', readyState = 'complete') {
  const greetings: unknown[] = [];
  const parent = { postMessage: (message: unknown) => void greetings.push(message) };
  const events = new EventTarget();
  const page: PageScope = Object.assign(events, {
    parent,
    location: { pathname },
    document: { readyState },
  }) as unknown as PageScope;
  const deliver = (data: unknown, handed: MessagePort[], source: unknown = parent) => {
    events.dispatchEvent(Object.assign(new Event('message'), { data, ports: handed, source }));
  };
  const load = () => void events.dispatchEvent(new Event('load'));
  return { page, deliver, greetings, load };
}

/** Sends a port to the page and answers on its other end. */
function hostOn(
  { deliver }: ReturnType<typeof makePage>,
  answer: (request: Sent) => object | null,
  version = '1',
  source?: unknown,
) {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  const received: Sent[] = [];
  port1.onmessage = ({ data }: MessageEvent<Sent>) => {
    received.push(data);
    const reply = answer(data);
    if (reply) port1.postMessage({ id: data.id, ...reply });
  };
  deliver({ type: 'host.port', protocolVersion: version }, [port2], source);
  return { received, port: port1 };
}

const facts = { protocolVersion: '1', pluginId: 'com.example.a', theme: 'dark', locale: 'en' };

const answering =
  (rest: (request: Sent) => object | null = () => null) =>
  (request: Sent) =>
    request.method === 'host.ready'
      ? { result: { ...facts, capabilities: ['files'] } }
      : rest(request);

describe('PluginClient', () => {
  it('has the version of the contract', () => {
    expect(protocolVersion).toBe(bridgeProtocolVersion);
  });

  it('sends a greeting when it runs after the load event, and becomes ready', async () => {
    const frame = makePage();
    const client = createPluginClient(frame.page);
    await expect.poll(() => frame.greetings).toEqual([{ type: 'plugin.hello' }]);
    hostOn(frame, answering());
    await expect(client.ready()).resolves.toEqual(facts);
    expect(client.capabilities).toEqual(['files']);
  });

  it('waits for the load event without a greeting, since the shell sends the port then', async () => {
    vi.useFakeTimers();
    const frame = makePage(undefined, 'loading');
    const client = createPluginClient(frame.page);
    const ready = client.ready();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(frame.greetings).toEqual([]);
    vi.useRealTimers();
    hostOn(frame, answering());
    frame.load();
    await expect(ready).resolves.toEqual(facts);
  });

  it('takes the first port of its parent and no other', async () => {
    const frame = makePage();
    const client = createPluginClient(frame.page);
    const stranger = hostOn(frame, answering(), '1', { postMessage: () => undefined });
    const first = hostOn(frame, answering());
    const second = hostOn(frame, answering());
    await client.ready();
    expect(first.received.map(({ method }) => method)).toEqual(['host.ready']);
    expect([...stranger.received, ...second.received]).toEqual([]);
  });

  it('says after ten seconds that it is not inside the host', async () => {
    vi.useFakeTimers();
    const client = createPluginClient(makePage().page);
    const ready = client.ready();
    const refused = expect(ready).rejects.toMatchObject({
      code: -32014,
      message: expect.stringContaining('not running inside the host') as string,
    });
    await vi.advanceTimersByTimeAsync(9_900);
    let settled = false;
    void ready.catch(() => (settled = true));
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    await refused;
  });

  it('reports both versions when the host has another one', async () => {
    const frame = makePage();
    const client = createPluginClient(frame.page);
    const { received } = hostOn(frame, answering(), '2');
    await expect(client.ready()).rejects.toMatchObject({
      code: -32010,
      message: expect.stringMatching(/version 1 .*host speaks version 2/) as string,
    });
    const asked = { method: 'host.ready', params: { protocolVersion: '1' } };
    await expect.poll(() => received).toMatchObject([asked]);
  });

  it('does not trust a host that opened the page as another plugin', async () => {
    const frame = makePage('/plugin-runtime/com.example.b/index.html');
    const client = createPluginClient(frame.page);
    hostOn(frame, answering());
    await expect(client.ready()).rejects.toMatchObject({ code: -32016 });
  });

  it('returns the result of a call, and its error unchanged', async () => {
    const frame = makePage();
    const client = createPluginClient(frame.page);
    const answer = ({ params }: Sent) =>
      params['method'] === 'count'
        ? { result: 7 }
        : { error: { code: -32050, message: 'No such text', data: { line: 3 } } };
    const { received } = hostOn(frame, answering(answer));
    await expect(client.invoke<number>('count', { text: 'a' }, { callId: 'c1' })).resolves.toBe(7);
    expect(received[1]?.params).toEqual({ callId: 'c1', method: 'count', params: { text: 'a' } });
    await expect(client.invoke('other')).rejects.toMatchObject({
      code: -32050,
      message: 'No such text',
      data: { line: 3 },
    });
  });

  it('cancels a call whose signal aborts', async () => {
    const frame = makePage();
    const client = createPluginClient(frame.page);
    const { received } = hostOn(frame, answering());
    const cancelling = new AbortController();
    const call = client.invoke('slow', {}, { callId: 'c2', signal: cancelling.signal });
    await expect.poll(() => received.at(-1)?.method).toBe('invoke');
    cancelling.abort();
    await expect(call).rejects.toMatchObject({ code: -32002, name: 'AbortError' });
    await expect
      .poll(() => received.at(-1))
      .toMatchObject({
        method: 'cancel',
        params: { callId: 'c2' },
      });
  });

  it('passes progress to its call and events to their listeners', async () => {
    const frame = makePage();
    const client = createPluginClient(frame.page);
    const { port, received } = hostOn(frame, answering());
    const [onProgress, onTheme, onAll] = [vi.fn(), vi.fn(), vi.fn()];
    const off = client.on('theme', onTheme);
    client.on('progress', onAll);
    void client.invoke('slow', {}, { callId: 'c3', onProgress }).catch(() => undefined);
    await expect.poll(() => received.at(-1)?.method).toBe('invoke');
    port.postMessage({ event: 'progress', data: { callId: 'c3', percent: 40 } });
    port.postMessage({ event: 'theme', data: 'light' });
    await expect.poll(() => onTheme.mock.calls).toEqual([['light']]);
    expect(onProgress).toHaveBeenCalledExactlyOnceWith({ percent: 40 });
    expect(onAll).toHaveBeenCalledExactlyOnceWith({ callId: 'c3', percent: 40 });
    off();
    port.postMessage({ event: 'theme', data: 'dark' });
    port.postMessage({ event: 'progress', data: { callId: 'c3', percent: 50 } });
    await expect.poll(() => onAll.mock.calls.length).toBe(2);
    expect(onTheme).toHaveBeenCalledTimes(1);
  });

  it('rejects pending calls when the host closes the port', async () => {
    const frame = makePage();
    const client = createPluginClient(frame.page);
    const { port, received } = hostOn(frame, answering());
    const call = client.invoke('slow');
    await expect.poll(() => received.at(-1)?.method).toBe('invoke');
    port.close();
    await expect(call).rejects.toMatchObject({ code: -32015 });
    await expect(client.notify({ level: 'info', title: 'x' })).rejects.toMatchObject({
      code: -32015,
    });
  });
});

describe('the built plugin client', () => {
  it('is a classic script, a module and declarations', async () => {
    const outputDirectory = await mkdtemp(join(tmpdir(), 'plugin-client-'));
    try {
      await buildPluginClient({ outputDirectory });
      const read = (file: string) => readFile(join(outputDirectory, file), 'utf8');
      const classic = await read('plugin-client.js');
      expect(classic).not.toMatch(/^(import|export)\b/m);
      const window = {
        document: { readyState: 'loading' },
        parent: null,
        addEventListener: () => undefined,
      };
      const page = createContext({ window }) as { PluginClient?: { protocolVersion: string } };
      runInContext(classic, page);
      expect(page.PluginClient?.protocolVersion).toBe('1');
      expect(await read('plugin-client.mjs')).toMatch(/export \{ PluginClient \}/);
      expect(await read('plugin-client.d.ts')).toContain('declare const PluginClient');
    } finally {
      await rm(outputDirectory, { recursive: true, force: true });
    }
  });
});
