/** Health, metrics, diagnostics, traces, and the API description of the host. */
import type { Route } from '../../http/route.ts';
import type { BugReportOptions } from './bug-report.ts';
import { Metrics } from './metrics.ts';
import { type ExportOptions, type MetricExport, metricExport } from './metric-export.ts';
import { diagnosticsRoutes } from './routes.ts';
import { type TraceExport, traceExport } from './traces/trace-export.ts';

export type { Lack } from './diagnose.ts';
export { Metrics } from './metrics.ts';
export { healthRoute } from './routes.ts';

export type { TraceExport } from './traces/trace-export.ts';

/** The diagnostics feature; `close` exports the remaining metrics and traces. */
export interface DiagnosticsFeature extends MetricExport, Pick<TraceExport, 'traceOf'> {
  metrics: Metrics;
  routes: Route[];
}

/** The collectors that metrics and traces are exported to. */
export interface Exports extends ExportOptions {
  /** Address of the OTLP collector for traces; null: none. */
  exportTracesTo: string | null;
}

export function createDiagnostics(options: BugReportOptions & Exports): DiagnosticsFeature {
  const metrics = new Metrics();
  const exported = metricExport(metrics, options);
  const traces = traceExport(options.log, options.exportTracesTo, options.instance);
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
