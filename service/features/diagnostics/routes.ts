import { api } from '../../contract/index.ts';
import { manifestSchema } from '../../contract/manifest-schema.ts';
import { describeApi } from '../../contract/openapi.ts';
import { StreamReply } from '../../http/reply.ts';
import { type Route, route } from '../../http/route.ts';
import { bugReport, type BugReportOptions } from './bug-report.ts';
import { diagnose } from './diagnose.ts';
import type { Metrics } from './metrics.ts';

export const healthRoute = (): Route => route(api.host.health, () => ({ status: 'ok' as const }));

export function diagnosticsRoutes(metrics: Metrics, options: BugReportOptions): Route[] {
  let description: Record<string, unknown> | undefined;
  return [
    healthRoute(),
    route(api.host.openapi, () => (description ??= describeApi())),
    route(api.host.pluginSchema, () => manifestSchema()),
    route(api.host.diagnostics, () => diagnose(options)),
    route(api.host.report, async () => {
      const day = new Date().toISOString().slice(0, 10);
      return new StreamReply(await bugReport(options), {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Disposition': `attachment; filename="plugin-host-report-${day}.json"`,
      });
    }),
    route(api.host.isolation, () => options.isolation()),
    route(api.host.metrics, () => ({ names: metrics.names() })),
    route(api.host.metric, ({ params, query }) =>
      metrics.read(params.name, [query.tag ?? []].flat()),
    ),
  ];
}
