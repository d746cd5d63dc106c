import type { RunEvent } from '../../../contract/index.ts';
import type { Log } from '../../../platform/log.ts';
import type { SpanPush } from './otlp-spans.ts';
import { type RunSpan, traceRun, type TracedRun } from './run-trace.ts';

export interface TraceExport {
  /** What hears the events of a run; absent where traces go nowhere. */
  traceOf?: (run: TracedRun) => (event: RunEvent) => void;
  start(): void;
  /** What was traced since the last time is exported before. */
  close(): Promise<void>;
}

/** Without an address nothing of the export is loaded. */
export function traceExport(log: Log, exportTo: string | null): TraceExport {
  if (exportTo === null) return { start: () => undefined, close: () => Promise.resolve() };
  let push: SpanPush | undefined;
  let loading: Promise<void> | undefined;
  return {
    // What ends before the export was loaded, as the host starts, is not told.
    traceOf: (run) => traceRun(run, (span: RunSpan) => push?.add(span)),
    start() {
      loading = import('./otlp-spans.ts').then(
        ({ pushSpans }) => {
          push = pushSpans({ log, url: exportTo });
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
