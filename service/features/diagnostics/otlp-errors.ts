import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { hostVersion } from '../../contract/index.ts';
import { withTimeoutOrNull } from '../../core/with-timeout.ts';
import type { Log } from '../../platform/log.ts';

const logIntervalMs = 60_000;
const closeLimitMs = 1_000;

/** Adds the usual path if the address has none. */
export function otlpAddress(url: string, usualPath: string): URL {
  const address = new URL(url);
  if (address.pathname === '/') address.pathname = usualPath;
  return address;
}

/** Which of several hosts sends; null for a single host. */
export type Instance = { id: string; name: string } | null;

/** The OpenTelemetry resource of this host. */
export const hostResource = (instance: Instance): Resource =>
  resourceFromAttributes({
    'service.name': 'plugin-host',
    'service.version': hostVersion,
    ...(instance && {
      'service.instance.id': instance.id,
      'host.id': instance.id,
      'host.name': instance.name,
    }),
  });

interface Exporter<Data, Result> {
  export(data: Data, done: (result: Result) => void): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

/** Wraps an exporter so that each failure is reported. */
export const withErrorHandler = <Data, Result extends { error?: Error }>(
  exporter: Exporter<Data, Result>,
  onError: (error: Error) => void,
): Exporter<Data, Result> => ({
  export: (data, done) =>
    exporter.export(data, (result) => {
      if (result.error) onError(result.error);
      done(result);
    }),
  forceFlush: () => exporter.forceFlush(),
  shutdown: () => exporter.shutdown(),
});

/** The host closes whether the collector answers or not. */
export async function shutDown(pushing: { shutdown(): Promise<void> }): Promise<void> {
  await withTimeoutOrNull(closeLimitMs, pushing.shutdown()).catch(() => undefined);
}

/** Logs failures, at most one a minute; they affect nothing else. */
export function errorLogger(
  log: Log,
  { what, address, usualPath }: { what: string; address: URL; usualPath: string },
): (error: Error) => void {
  let lastLoggedMs: number | undefined;
  return (error) => {
    if (lastLoggedMs !== undefined && performance.now() - lastLoggedMs < logIntervalMs) return;
    lastLoggedMs = performance.now();
    const reason = reasonOf(error, usualPath);
    log.warn('metrics', `${what} could not be exported to ${address.host}: ${reason}.`);
  };
}

/**
 * In words of this host, so that answers of the collector and credentials in its address stay out.
 */
function reasonOf({ code }: Error & { code?: unknown }, usualPath: string): string {
  if (code === 404) return `it knows no such path. The address usually ends in ${usualPath}`;
  if (typeof code === 'number') return `it answered with status ${code}`;
  return typeof code === 'string' ? code : 'it did not take them in time';
}
