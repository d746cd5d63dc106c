import { parentPort } from 'node:worker_threads';
import { type Browser, chromium } from 'playwright-core';
import { HostError } from '../../../core/host-error.ts';
import type { BrowserAction } from '../browser-engine.ts';
import { PipeTransport } from './pipe-transport.ts';
import type { FromThread, ThreadCall, ToThread } from './thread-messages.ts';
import { ThreadProfile } from './thread-profile.ts';
import { msg } from '../../../messages/index.ts';

/** Drives Chromium in a thread, so that harmful messages of pages cannot crash the host. */
const port = parentPort;
if (!port) throw new Error('This is a thread of the host.');

const post = (message: FromThread): void => port.postMessage(message);

const transport = new PipeTransport((bytes) => post({ bytes }));
const profiles = new Map<number, ThreadProfile>();
let browser: Promise<Browser> | undefined;

const connected = (): Promise<Browser> => (browser ??= chromium.connectOverCDP(transport));

const profileOf = (id: number): ThreadProfile => {
  const profile = profiles.get(id);
  if (profile) return profile;
  throw new HostError('unavailable', 'browser_unavailable', msg('browser.closed'));
};

const methods: Record<string, (input: never) => Promise<unknown>> = {
  connect: async () => (await connected()).version(),
  async open({ profile, proxyPort }: { profile: number; proxyPort: number }) {
    profiles.set(profile, await ThreadProfile.open(await connected(), proxyPort));
  },
  run: ({ profile, action, input }: { profile: number; action: BrowserAction; input: object }) =>
    profileOf(profile).run(action, input),
  async close({ profile }: { profile: number }) {
    const open = profiles.get(profile);
    profiles.delete(profile);
    await open?.close();
  },
};

async function answer({ id, method, input }: ThreadCall): Promise<void> {
  try {
    post({ id, value: await methods[method]?.(input as never) });
  } catch (error) {
    const { kind, code, text } =
      error instanceof HostError
        ? error
        : { kind: 'upstream-failed', code: 'browser_failed', text: String(error).slice(0, 500) };
    post({ id, error: { kind, code, text } });
  }
}

port.on('message', (message: ToThread) => {
  if ('call' in message) return void answer(message.call);
  const bytes = Buffer.from(message.bytes.buffer, message.bytes.byteOffset, message.bytes.length);
  if (!transport.receive(bytes)) return post({ broken: msg('browser.tooMuchAtOnce') });
  post({ taken: bytes.length });
});

// An unawaited failure concerns a page that is already closed.
process.on('unhandledRejection', () => undefined);
post({ ready: true });
