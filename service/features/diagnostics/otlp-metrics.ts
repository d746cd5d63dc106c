import { type HrTime, ValueType } from '@opentelemetry/api';
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';
import type { Definition, Metrics, Series } from './metrics.ts';

const units: Readonly<Record<string, string>> = { seconds: 's', bytes: 'By', tokens: '{token}' };

/** Converts metrics for the OpenTelemetry SDK, without those that were never counted. */
export function otlpMetrics(all: ReturnType<Metrics['all']>, startedMs: number): MetricData[] {
  const span = { startTime: timeOf(startedMs), endTime: timeOf(Date.now()) };
  return all
    .filter(({ definition, series }) => definition.read !== undefined || series.length > 0)
    .map(({ name, definition, series }) => {
      const { description, baseUnit, read } = definition;
      const valueType = read ? ValueType.DOUBLE : ValueType.INT;
      const about = {
        descriptor: { name, description, unit: units[baseUnit ?? ''] ?? '', valueType },
        aggregationTemporality: AggregationTemporality.CUMULATIVE,
      };
      return { ...about, ...pointsOf(definition, series, span) };
    });
}

type Points<M = MetricData> = M extends MetricData
  ? Omit<M, 'descriptor' | 'aggregationTemporality'>
  : never;

function pointsOf(
  { kind, read }: Definition,
  series: readonly Series[],
  span: { startTime: HrTime; endTime: HrTime },
): Points {
  if (read) {
    const point = { ...span, attributes: {}, value: read() };
    return { dataPointType: DataPointType.GAUGE, dataPoints: [point] };
  }
  if (kind === 'counter') {
    const dataPoints = series.map(({ tags, count }) => ({
      ...span,
      attributes: tags,
      value: count,
    }));
    return { dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints };
  }
  const dataPoints = series.map(({ tags, count, totalSeconds, maxSeconds }) => ({
    ...span,
    attributes: tags,
    value: {
      count,
      sum: totalSeconds,
      max: maxSeconds,
      buckets: { boundaries: [], counts: [count] },
    },
  }));
  return { dataPointType: DataPointType.HISTOGRAM, dataPoints };
}

const timeOf = (ms: number): HrTime => [Math.floor(ms / 1_000), (ms % 1_000) * 1_000_000];
