import type { Log } from '../../platform/log.ts';
import type { Metrics } from './metrics.ts';

export interface ExportOptions {
  log: Log;
  /** Address of the collector that metrics are exported to; null: they stay here. */
  exportTo: string | null;
}

export interface MetricExport {
  start(): void;
  /** What was counted since the last time is exported before. */
  close(): Promise<void>;
}

/** Without an address nothing of the export is loaded. */
export function metricExport(metrics: Metrics, { log, exportTo }: ExportOptions): MetricExport {
  let pushing: Promise<{ close(): Promise<void> }> | undefined;
  return {
    start() {
      if (exportTo === null) return;
      pushing = import('./otlp-push.ts').then(({ pushMetrics }) =>
        pushMetrics({ metrics, log, url: exportTo }),
      );
      pushing.catch((error: unknown) =>
        log.error('metrics', 'The export of metrics cannot be started', error),
      );
    },
    close: async () => (await pushing?.catch(() => undefined))?.close(),
  };
}
