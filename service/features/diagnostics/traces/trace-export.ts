import type { RunEvent } from '../../../contract/index.ts';
import type { Log } from '../../../platform/log.ts';
import type { Instance } from '../otlp-errors.ts';
import type { SpanPush } from './otlp-spans.ts';
import { type RunSpan, traceRun, type TracedRun } from './run-trace.ts';

/** An export of runs as traces. */
export interface TraceExport {
  /** Creates a consumer of the events of a run; absent if traces are not exported. */
  traceOf?: (run: TracedRun) => (event: RunEvent) => void;
  start(): void;
  /** Exports the latest spans before it resolves. */
  close(): Promise<void>;
}

/** Without an address, the export code is not loaded. */
export function traceExport(log: Log, exportTo: string | null, instance: Instance): TraceExport {
  if (exportTo === null) return { start: () => undefined, close: () => Promise.resolve() };
  let push: SpanPush | undefined;
  let loading: Promise<void> | undefined;
  return {
    // Spans that end while the export code is still loading are dropped.
    traceOf: (run) => traceRun(run, (span: RunSpan) => push?.add(span)),
    start() {
      loading = import('./otlp-spans.ts').then(
        ({ pushSpans }) => {
          push = pushSpans({ log, url: exportTo, instance });
        },
        (error: unknown) => log.error('metrics', 'The export of traces cannot be started', error),
      );
    },
    async close() {
      await loading;
      await push?.close();
    },
  };
}
