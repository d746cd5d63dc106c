/** What the host says about itself: health, metrics, diagnostics, the description of its API. */
import type { Route } from '../../http/route.ts';
import type { BugReportOptions } from './bug-report.ts';
import { Metrics } from './metrics.ts';
import { type ExportOptions, type MetricExport, metricExport } from './metric-export.ts';
import { diagnosticsRoutes } from './routes.ts';
import { type TraceExport, traceExport } from './traces/trace-export.ts';

export { Metrics } from './metrics.ts';
export { healthRoute } from './routes.ts';

export type { TraceExport } from './traces/trace-export.ts';

export interface DiagnosticsFeature extends MetricExport, Pick<TraceExport, 'traceOf'> {
  metrics: Metrics;
  routes: Route[];
}

export interface Exports extends ExportOptions {
  /** Address of the collector that traces are exported to; null: there are none. */
  exportTracesTo: string | null;
}

export function createDiagnostics(options: BugReportOptions & Exports): DiagnosticsFeature {
  const metrics = new Metrics();
  const exported = metricExport(metrics, options);
  const traces = traceExport(options.log, options.exportTracesTo);
  return {
    metrics,
    routes: diagnosticsRoutes(metrics, options),
    ...(traces.traceOf ? { traceOf: traces.traceOf } : {}),
    start() {
      exported.start();
      traces.start();
    },
    async close() {
      await Promise.all([exported.close(), traces.close()]);
    },
  };
}
