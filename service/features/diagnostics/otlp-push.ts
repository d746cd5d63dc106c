import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics';
import { hostVersion } from '../../contract/index.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from './metrics.ts';
import { otlpMetrics } from './otlp-metrics.ts';
import {
  hostResource,
  type Instance,
  otlpAddress,
  shutDown,
  withErrorHandler,
  errorLogger,
} from './otlp-errors.ts';

/** Metrics, address and interval of an export. */
export interface PushOptions {
  metrics: Metrics;
  log: Log;
  url: string;
  /** Default: a single host. */
  instance?: Instance;
  /** Default: 10 seconds. */
  everyMs?: number;
}

const defaultEveryMs = 10_000;
const exportTimeoutMs = 5_000;

/** Sends all metrics periodically, and once more on close. */
export function pushMetrics(options: PushOptions): { close(): Promise<void> } {
  const { metrics, everyMs = defaultEveryMs } = options;
  const startedMs = Date.now();
  const reader = new PeriodicExportingMetricReader({
    exporter: reportingExporter(options),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: Math.min(exportTimeoutMs, everyMs),
  });
  const resource = hostResource(options.instance ?? null);
  const scope = { name: 'plugin-host', version: hostVersion };
  reader.setMetricProducer({
    collect: () => {
      const scopeMetrics = [{ scope, metrics: otlpMetrics(metrics.all(), startedMs) }];
      return Promise.resolve({ resourceMetrics: { resource, scopeMetrics }, errors: [] });
    },
  });
  return { close: () => shutDown(reader) };
}

const usualPath = '/v1/metrics';

function reportingExporter({
  url,
  log,
  everyMs = defaultEveryMs,
}: PushOptions): PushMetricExporter {
  const address = otlpAddress(url, usualPath);
  const onError = errorLogger(log, { what: 'Metrics', address, usualPath });
  const exporter = new OTLPMetricExporter({
    url: address.href,
    timeoutMillis: Math.min(exportTimeoutMs, everyMs),
  });
  return withErrorHandler(exporter, onError);
}
