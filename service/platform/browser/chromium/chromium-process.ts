import { mkdir, rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { HostError } from '../../../core/host-error.ts';
import { processEnvironment } from '../../process-environment.ts';
import type { OwnedProcess, Processes } from '../../processes.ts';
import { watchMemory } from './memory-watch.ts';
import { type HostText, msg } from '../../../messages/index.ts';

const maxStderrCharacters = 8_000;

/** Features that act or contact the vendor's servers on their own. */
const disabledFeatures = [
  ...['Translate', 'MediaRouter', 'DialMediaRouteProvider', 'OptimizationHints'],
  ...['HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'WebTransport'],
  ...['AutofillServerCommunication', 'CertificateTransparencyComponentUpdater'],
  ...['PreconnectToSearch', 'PrewarmDefaultSearchEngine', 'NetworkTimeServiceQuerying'],
  ...['AimEnabled', 'AimServerEligibilityEnabled', 'AimServerRequestOnStartupEnabled'],
];

/**
 * DevTools messages over two pipes that no other process can open, no profile on disk, and no name
 * resolution or connection except through the proxy of a profile.
 */
const defaultFlags = [
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
  `--disable-features=${disabledFeatures.join()}`,
  // Protocols that would bypass a proxy.
  ...['--disable-quic', '--force-webrtc-ip-handling-policy=disable_non_proxied_udp'],
  ...['--dns-prefetch-disable', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'],
  ...['--proxy-server=http://no-proxy.invalid:1', '--proxy-bypass-list=<-loopback>'],
];

/** A running browser with the DevTools protocol: JSON messages, each terminated by NUL. */
export interface ChromiumProcess {
  readonly to: { write(bytes: Uint8Array): unknown };
  readonly from: Readable;
  readonly exited: OwnedProcess['exited'];
  /** The end of its stderr. */
  stderrTail(): string;
  /** Ends the process and deletes its folder. */
  end(): Promise<void>;
}

/** How to start Chromium. */
export interface ChromiumOrder {
  /** Absolute path. */
  program: string;
  /** A dedicated folder, deleted before the start and after the end. */
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
  const spec = {
    program,
    args: [...defaultFlags, ...more],
    cwd: directory,
    env: processEnvironment(),
  };
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
