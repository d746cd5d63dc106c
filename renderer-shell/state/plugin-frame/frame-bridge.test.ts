import { afterEach, describe, expect, it, vi } from 'vitest';
import { FrameBridge } from './frame-bridge.ts';
import type { BridgeHost } from './port-session.ts';

/** A frame whose window records the ports that it receives. */
function makeFrame(host: Partial<BridgeHost> = {}) {
  const shell = new EventTarget() as EventTarget & Pick<Window, 'addEventListener'>;
  const ports: MessagePort[] = [];
  const frameWindow = {
    postMessage: (_message: unknown, _target: unknown, transfer: MessagePort[]) => {
      ports.push(...transfer);
    },
  } as unknown as Window;
  const mismatch = vi.fn();
  const handle = vi.fn((method: string, params: unknown) => Promise.resolve({ method, params }));
  const bridge = new FrameBridge({
    frame: () => frameWindow,
    shell,
    host: {
      facts: () => ({ pluginId: 'a', theme: 'light', locale: 'en', capabilities: [] }),
      handle,
      mismatch,
      ...host,
    },
  });
  const greet = (source: unknown = frameWindow) => {
    const event = Object.assign(new Event('message'), { source, data: { type: 'plugin.hello' } });
    shell.dispatchEvent(event);
  };
  opened.push({ bridge, ports });
  return { bridge, ports, greet, mismatch, handle };
}

const opened: { bridge: FrameBridge; ports: MessagePort[] }[] = [];
afterEach(() => {
  for (const { bridge, ports } of opened.splice(0)) {
    bridge.close();
    for (const port of ports) port.close();
  }
});

interface Reply {
  id?: number;
  result?: unknown;
  error?: { code: number; message: string };
}

/** Talks over a port as a page would. */
function connectPage(port: MessagePort | undefined) {
  if (!port) throw new Error('no port was handed out');
  const replies: Reply[] = [];
  port.onmessage = ({ data }: MessageEvent<Reply>) => void replies.push(data);
  let lastId = 0;
  const ask = async (method: string, params?: unknown): Promise<Reply> => {
    const id = ++lastId;
    port.postMessage({ id, method, params });
    await expect.poll(() => replies.some((reply) => reply.id === id)).toBe(true);
    return replies.find((reply) => reply.id === id) ?? {};
  };
  return { ask, replies, ready: () => ask('host.ready', { protocolVersion: '1' }), port };
}

describe('the host end of the bridge', () => {
  it('answers a page that speaks its version', async () => {
    const { bridge, ports } = makeFrame();
    bridge.loaded();
    const { ready, ask } = connectPage(ports[0]);
    expect((await ready()).result).toEqual({
      protocolVersion: '1',
      pluginId: 'a',
      theme: 'light',
      locale: 'en',
      capabilities: [],
    });
    expect((await ask('invoke', { n: 1 })).result).toEqual({ method: 'invoke', params: { n: 1 } });
  });

  it('refuses any other version and everything after it, naming both versions', async () => {
    const { bridge, ports, mismatch, handle } = makeFrame();
    bridge.loaded();
    const { ask } = connectPage(ports[0]);
    const { error } = await ask('host.ready', { protocolVersion: '1.0' });
    expect(error?.message).toContain(
      'version 1.0 of the plugin bridge, the host speaks version 1.',
    );
    expect(mismatch).toHaveBeenCalledWith('1.0');
    expect((await ask('invoke', {})).error?.code).toBe(-32011);
    expect(handle).not.toHaveBeenCalled();
  });

  it('offers one port per load, and a second one only to a page that missed the first', async () => {
    const { bridge, ports, greet } = makeFrame();
    greet();
    expect(ports).toHaveLength(0);
    bridge.loaded();
    greet();
    greet();
    expect(ports).toHaveLength(2);
    const late = connectPage(ports[1]);
    await late.ready();
    greet();
    expect(ports).toHaveLength(2);
    const early = connectPage(ports[0]);
    early.port.postMessage({ id: 1, method: 'host.ready', params: { protocolVersion: '1' } });
    expect((await late.ask('invoke', {})).result).toBeDefined();
    expect(early.replies).toEqual([]);
  });

  it('ignores a greeting from another window', () => {
    const { bridge, ports, greet } = makeFrame();
    bridge.loaded();
    greet({ postMessage: () => undefined });
    expect(ports).toHaveLength(1);
  });

  it('closes the previous port when the frame is reloaded', async () => {
    const { bridge, ports } = makeFrame();
    bridge.loaded();
    const before = connectPage(ports[0]);
    await before.ready();
    const closed = new Promise((resolve) => before.port.addEventListener('close', resolve));
    bridge.loaded();
    await closed;
    expect((await connectPage(ports[1]).ready()).result).toMatchObject({ pluginId: 'a' });
  });

  it('cancels running methods when the page is gone', async () => {
    const closed = vi.fn();
    const { bridge, ports } = makeFrame({
      handle: (_method, _params, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            closed();
            reject(new Error('gone'));
          });
        }),
    });
    bridge.loaded();
    const { ready, port } = connectPage(ports[0]);
    await ready();
    port.postMessage({ id: 99, method: 'invoke' });
    port.close();
    await expect.poll(() => closed.mock.calls.length).toBe(1);
  });

  it('allows 64 pending calls', async () => {
    const gate = Promise.withResolvers<void>();
    const { bridge, ports } = makeFrame({ handle: () => gate.promise });
    bridge.loaded();
    const { ready, ask, replies, port } = connectPage(ports[0]);
    await ready();
    for (let id = 1_000; id < 1_064; id += 1) port.postMessage({ id, method: 'invoke' });
    expect((await ask('invoke')).error?.code).toBe(-32012);
    gate.resolve();
    await expect.poll(() => replies.filter(({ id = 0 }) => id >= 1_000).length).toBe(64);
    expect((await ask('invoke')).error).toBeUndefined();
  });

  it('refuses messages larger than 32 MiB or without a JSON form', async () => {
    const { bridge, ports } = makeFrame();
    bridge.loaded();
    const { ready, ask } = connectPage(ports[0]);
    await ready();
    const large = 'ä'.repeat(17 * 1024 * 1024);
    expect((await ask('invoke', { large })).error?.code).toBe(-32013);
    const ring: Record<string, unknown> = {};
    ring['self'] = ring;
    expect((await ask('invoke', ring)).error?.code).toBe(-32602);
  });

  it('ignores messages that are not requests', async () => {
    const { bridge, ports, handle } = makeFrame();
    bridge.loaded();
    const { ready, ask, port, replies } = connectPage(ports[0]);
    await ready();
    for (const message of [null, 'text', 7, [], { id: -1, method: 'invoke' }, { id: 5 }]) {
      port.postMessage(message);
    }
    await ask('invoke');
    expect(handle).toHaveBeenCalledTimes(1);
    expect(replies).toHaveLength(2);
  });

  it('sends events only to a page that is ready', async () => {
    const { bridge, ports } = makeFrame();
    bridge.loaded();
    const { ready, replies } = connectPage(ports[0]);
    bridge.send('theme', 'dark');
    await ready();
    bridge.send('theme', 'light');
    await expect.poll(() => replies.length).toBe(2);
    expect(replies[1]).toEqual({ event: 'theme', data: 'light' });
  });
});
