import { api } from '../../contract/index.ts';
import { describeApi } from '../../contract/openapi.ts';
import { type Route, route } from '../../http/route.ts';
import { diagnose, type DiagnosticsOptions } from './diagnose.ts';
import type { Metrics } from './metrics.ts';

export const healthRoute = (): Route => route(api.host.health, () => ({ status: 'ok' as const }));

export function diagnosticsRoutes(metrics: Metrics, options: DiagnosticsOptions): Route[] {
  let description: Record<string, unknown> | undefined;
  return [
    healthRoute(),
    route(api.host.openapi, () => (description ??= describeApi())),
    route(api.host.diagnostics, () => diagnose(options)),
    route(api.host.isolation, () => options.isolation()),
    route(api.host.metrics, () => ({ names: metrics.names() })),
    route(api.host.metric, ({ params, query }) =>
      metrics.read(params.name, [query.tag ?? []].flat()),
    ),
  ];
}
