import type { Log } from '../../platform/log.ts';
import type { Instance } from './otlp-errors.ts';
import type { Metrics } from './metrics.ts';

/** The destination of exported metrics. */
export interface ExportOptions {
  log: Log;
  /** Address of the OTLP collector; null: metrics are not exported. */
  exportTo: string | null;
  instance: Instance;
}

/** A periodic export of metrics. */
export interface MetricExport {
  start(): void;
  /** Exports the latest metrics before it resolves. */
  close(): Promise<void>;
}

/** Without an address, the export code is not loaded. */
export function metricExport(
  metrics: Metrics,
  { log, exportTo, instance }: ExportOptions,
): MetricExport {
  let pushing: Promise<{ close(): Promise<void> }> | undefined;
  return {
    start() {
      if (exportTo === null) return;
      pushing = import('./otlp-push.ts').then(({ pushMetrics }) =>
        pushMetrics({ metrics, log, url: exportTo, instance }),
      );
      pushing.catch((error: unknown) =>
        log.error('metrics', 'The export of metrics cannot be started', error),
      );
    },
    close: async () => (await pushing?.catch(() => undefined))?.close(),
  };
}
