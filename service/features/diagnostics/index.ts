/** What the host says about itself: health, metrics, diagnostics, the description of its API. */
import type { Route } from '../../http/route.ts';
import type { DiagnosticsOptions } from './diagnose.ts';
import { Metrics } from './metrics.ts';
import { type ExportOptions, type MetricExport, metricExport } from './metric-export.ts';
import { diagnosticsRoutes } from './routes.ts';

export type { DiagnosticsOptions } from './diagnose.ts';
export { Metrics } from './metrics.ts';
export { healthRoute } from './routes.ts';

export interface DiagnosticsFeature extends MetricExport {
  metrics: Metrics;
  routes: Route[];
}

export function createDiagnostics(options: DiagnosticsOptions & ExportOptions): DiagnosticsFeature {
  const metrics = new Metrics();
  return {
    ...{ metrics, routes: diagnosticsRoutes(metrics, options) },
    ...metricExport(metrics, options),
  };
}
