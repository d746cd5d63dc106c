import { mkdir, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { HostError } from '../../../core/host-error.ts';
import { processEnvironment } from '../../process-environment.ts';
import type { OwnedProcess, Processes } from '../../processes.ts';
import { watchMemory } from './memory-watch.ts';
import { type HostText, msg } from '../../../messages/index.ts';

const maxStderrCharacters = 8_000;

/** What it would do, or ask servers of its maker, by itself. */
const unwanted = [
  ...['Translate', 'MediaRouter', 'DialMediaRouteProvider', 'OptimizationHints'],
  ...['HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'WebTransport'],
  ...['AutofillServerCommunication', 'CertificateTransparencyComponentUpdater'],
  ...['PreconnectToSearch', 'PrewarmDefaultSearchEngine', 'NetworkTimeServiceQuerying'],
  ...['AimEnabled', 'AimServerEligibilityEnabled', 'AimServerRequestOnStartupEnabled'],
];

/**
 * It speaks over two pipes that nobody else can open, keeps nothing of a profile on the disk, and finds
 * no name and no server by itself: only the proxy of a profile does.
 */
const usual = [
  ...['--headless', '--remote-debugging-pipe', '--no-startup-window', '--no-first-run'],
  ...['--no-default-browser-check', '--disable-background-networking', '--disable-sync'],
  ...['--disable-component-update', '--disable-default-apps', '--disable-extensions'],
  ...[
    '--disable-breakpad',
    '--disable-domain-reliability',
    '--no-pings',
    '--metrics-recording-only',
  ],
  ...['--disable-client-side-phishing-detection', '--password-store=basic', '--use-mock-keychain'],
  ...['--disable-dev-shm-usage', '--disable-smooth-scrolling', '--hide-scrollbars', '--mute-audio'],
  ...['--disable-back-forward-cache', '--disable-prompt-on-repost', '--disable-hang-monitor'],
  ...['--disable-component-extensions-with-background-pages', '--allow-pre-commit-input'],
  ...['--disable-renderer-backgrounding', '--disable-backgrounding-occluded-windows'],
  ...[
    '--disable-background-timer-throttling',
    '--force-color-profile=srgb',
    '--no-service-autorun',
  ],
  `--disable-features=${unwanted.join()}`,
  // What would go past a proxy.
  ...['--disable-quic', '--force-webrtc-ip-handling-policy=disable_non_proxied_udp'],
  ...['--dns-prefetch-disable', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'],
  ...['--proxy-server=http://no-proxy.invalid:1', '--proxy-bypass-list=<-loopback>'],
];

/** A browser that speaks the DevTools protocol: messages in JSON, each with a NUL behind it. */
export interface ChromiumProcess {
  readonly to: { write(bytes: Uint8Array): unknown };
  readonly from: Readable;
  readonly exited: OwnedProcess['exited'];
  /** The last of what it wrote to stderr. */
  stderrTail(): string;
  end(): Promise<void>;
}

export interface ChromiumOrder {
  program: string;
  /** A folder of its own; it is removed before and afterwards. */
  directory: string;
  sandboxed: boolean;
}

/** @throws HostError `browser_unavailable` */
export async function startChromium(
  processes: Processes,
  { program, directory, sandboxed }: ChromiumOrder,
): Promise<ChromiumProcess> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const more = [`--user-data-dir=${directory}`, ...(sandboxed ? [] : ['--no-sandbox'])];
  const spec = { program, args: [...usual, ...more], cwd: directory, env: processEnvironment() };
  const owned = await processes.spawn({ ...spec, withPipes: true }).catch((cause: unknown) => {
    throw unavailable(cause instanceof HostError ? cause.text : msg('browser.didNotStart'), cause);
  });
  const { pipes } = owned;
  if (!pipes) throw unavailable(msg('browser.noPipes'));
  const decoder = new StringDecoder('utf8');
  let stderr = '';
  owned.stdout.resume();
  owned.stdin.end();
  owned.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + decoder.write(chunk)).slice(-maxStderrCharacters);
  });
  const stopWatching = watchMemory(owned.pid, () => undefined);
  void owned.exited.then(stopWatching);
  return {
    to: pipes.to,
    from: pipes.from,
    exited: owned.exited,
    stderrTail: () => stderr,
    async end() {
      await owned.terminate(0);
      await rm(directory, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
    },
  };
}

export function unavailable(why: HostText, cause?: unknown): HostError {
  const message = msg('browser.unavailable', { reason: why });
  return new HostError('unavailable', 'browser_unavailable', message, { cause });
}
