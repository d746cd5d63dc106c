import { type HrTime, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import { BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { hostVersion } from '../../../contract/index.ts';
import type { Log } from '../../../platform/log.ts';
import {
  hostResource,
  type Instance,
  otlpAddress,
  shutDown,
  withErrorHandler,
  errorLogger,
} from '../otlp-errors.ts';
import type { RunSpan } from './run-trace.ts';

/** The destination and the interval of exported spans. */
export interface SpanPushOptions {
  log: Log;
  url: string;
  /** Default: a single host. */
  instance?: Instance;
  everyMs?: number;
}

/** A batched export of spans; `close` sends the remaining ones. */
export interface SpanPush {
  add(span: RunSpan): void;
  close(): Promise<void>;
}

const usualPath = '/v1/traces';
const defaultEveryMs = 5_000;
const exportTimeoutMs = 5_000;
/** Further spans are dropped while the collector accepts none. */
const maxPendingSpans = 2_048;

/** Sends spans in batches, and the remaining ones on close. */
export function pushSpans({
  log,
  url,
  instance = null,
  everyMs = defaultEveryMs,
}: SpanPushOptions): SpanPush {
  const address = otlpAddress(url, usualPath);
  const onError = errorLogger(log, { what: 'Traces', address, usualPath });
  const exporter = new OTLPTraceExporter({ url: address.href, timeoutMillis: exportTimeoutMs });
  const processor = new BatchSpanProcessor({
    exporter: withErrorHandler(exporter, onError),
    maxQueueSize: maxPendingSpans,
    maxExportBatchSize: 512,
    scheduledDelayMillis: everyMs,
    exportTimeoutMillis: exportTimeoutMs,
  });
  const resource = hostResource(instance);
  return {
    add: (span) => processor.onEnd(readable(span, resource)),
    close: () => shutDown(processor),
  };
}

function readable(span: RunSpan, resource: Resource): ReadableSpan {
  const context = (spanId: string) => ({
    traceId: span.traceId,
    spanId,
    traceFlags: TraceFlags.SAMPLED,
  });
  const { startMs, endMs } = span;
  return {
    name: span.name,
    kind: SpanKind.INTERNAL,
    attributes: span.attributes,
    resource,
    spanContext: () => context(span.spanId),
    ...(span.parentId === null ? {} : { parentSpanContext: context(span.parentId) }),
    startTime: timeOf(startMs),
    endTime: timeOf(endMs),
    duration: timeOf(endMs - startMs),
    status: { code: span.failed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    links: [],
    events: [],
    ended: true,
    instrumentationScope: { name: 'plugin-host', version: hostVersion },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

const timeOf = (ms: number): HrTime => [
  Math.floor(ms / 1_000),
  Math.round((ms % 1_000) * 1_000_000),
];
