import { setTimeout as delay } from 'node:timers/promises';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  PeriodicExportingMetricReader,
  type PushMetricExporter,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { hostVersion } from '../../contract/index.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from './metrics.ts';
import { otlpMetrics } from './otlp-metrics.ts';
import { otlpAddress, troubleTeller } from './otlp-trouble.ts';

export interface PushOptions {
  metrics: Metrics;
  log: Log;
  url: string;
  everyMs?: number;
}

const defaultEveryMs = 10_000;
const mostMs = 5_000;
/** The host ends whether the collector answers or not. */
const closeLimitMs = 1_000;

/** Sends all metrics every ten seconds, and once more at the end. */
export function pushMetrics(options: PushOptions): { close(): Promise<void> } {
  const { metrics, everyMs = defaultEveryMs } = options;
  const startedMs = Date.now();
  const reader = new PeriodicExportingMetricReader({
    exporter: tellingExporter(options),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: Math.min(mostMs, everyMs),
  });
  const resource = resourceFromAttributes({
    'service.name': 'plugin-host',
    'service.version': hostVersion,
  });
  const scope = { name: 'plugin-host', version: hostVersion };
  reader.setMetricProducer({
    collect: () => {
      const scopeMetrics = [{ scope, metrics: otlpMetrics(metrics.all(), startedMs) }];
      return Promise.resolve({ resourceMetrics: { resource, scopeMetrics }, errors: [] });
    },
  });
  return {
    async close() {
      const ended = reader.shutdown().catch(() => undefined);
      await Promise.race([ended, delay(closeLimitMs, undefined, { ref: false })]);
    },
  };
}

const usualPath = '/v1/metrics';

function tellingExporter({ url, log, everyMs = defaultEveryMs }: PushOptions): PushMetricExporter {
  const address = otlpAddress(url, usualPath);
  const told = troubleTeller(log, { what: 'Metrics', address, usualPath });
  const exporter = new OTLPMetricExporter({
    url: address.href,
    timeoutMillis: Math.min(mostMs, everyMs),
  });
  return {
    export(metrics: ResourceMetrics, done) {
      exporter.export(metrics, (result) => {
        if (result.error) told(result.error);
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
