import { from } from './requirement.ts';

export const metric = [
  ...from('Health and categories; Metrics', {
    'METRIC-01': '`GET /actuator/metrics` answers the metrics.',
  }),
  ...from('Metrics', {
    'METRIC-02': 'Agent runs are counted in `host.agent.runs`.',
    'METRIC-03': 'Agent steps are counted per tool in `host.agent.steps`.',
    'METRIC-04':
      'Agent runs and per-tool steps are timed; the run time is `host.agent.run.duration`.',
    'METRIC-05':
      'Setting `management.otlp.metrics.export.url` exports the metrics to an OpenTelemetry collector.',
    'METRIC-06': 'Without `management.otlp.metrics.export.url` the export is dormant.',
  }),
];
