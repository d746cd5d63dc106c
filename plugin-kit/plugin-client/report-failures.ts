import { type ErrorLocation, locationOfScript, locationOfStack } from './error-place.ts';
import type { PageScope } from './port-arrival.ts';

/** An error of a page, for the plugin's log. */
export interface FailureReport {
  level: 'WARN' | 'ERROR';
  message: string;
  place?: ErrorLocation;
}

const MAX_MESSAGE = 4_000;

interface Violation {
  effectiveDirective: string;
  blockedURI?: string | null;
  blockedURL?: string | null;
  sourceFile?: string | null;
  lineNumber?: number | null;
}

/**
 * Reports uncaught errors and violations of the page's security policy, including those from before
 * this script ran if the browser buffered them.
 */
export function reportFailures(page: PageScope, report: (report: FailureReport) => void): void {
  const send = (
    level: FailureReport['level'],
    text: string,
    location: ErrorLocation | undefined,
  ) => {
    const message = text.slice(0, MAX_MESSAGE);
    report(location === undefined ? { level, message } : { level, message, place: location });
  };
  const listen = (type: string, listener: (event: unknown) => void) =>
    page.addEventListener(type, listener);

  listen('error', (event) => {
    const { error, message, filename, lineno, colno } = event as Omit<ErrorEvent, 'error'> & {
      error: unknown;
    };
    const location = locationOfScript(filename, lineno, colno) ?? locationOfError(error);
    send('ERROR', textOf(error, `${message} (${filename}:${lineno})`), location);
  });
  listen('unhandledrejection', (event) => {
    const { reason } = event as { reason: unknown };
    const text = textOf(reason, String(reason));
    const message = `A promise was rejected and nobody caught it: ${text}`;
    send('ERROR', message, locationOfError(reason));
  });
  unmuteScripts();
  const violated = (violation: Violation) => {
    const { sourceFile, lineNumber } = violation;
    send('WARN', violationText(violation), locationOfScript(sourceFile, lineNumber));
  };
  const Observer = (globalThis as { ReportingObserver?: typeof ReportingObserver })
    .ReportingObserver;
  if (Observer === undefined) {
    listen('securitypolicyviolation', (event) => violated(event as Violation));
    return;
  }
  const observer = new Observer(
    (reports) => {
      for (const { body } of reports) violated(body as unknown as Violation);
    },
    { types: ['csp-violation'], buffered: true },
  );
  observer.observe();
}

/**
 * In a page with an opaque origin every script counts as cross-origin, and browsers hide the
 * details of its errors. Plugin files allow CORS, so `crossorigin` reveals them.
 */
function unmuteScripts(): void {
  if (typeof MutationObserver === 'undefined') return;
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof HTMLScriptElement && node.src !== '') node.crossOrigin ??= 'anonymous';
  }).observe(document, { childList: true, subtree: true });
}

const textOf = (error: unknown, otherwise: string): string =>
  error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : otherwise;

const locationOfError = (error: unknown): ErrorLocation | undefined =>
  error instanceof Error ? locationOfStack(error.stack ?? '') : undefined;

function violationText(violation: Violation): string {
  const { effectiveDirective, sourceFile, lineNumber } = violation;
  const blocked = violation.blockedURL ?? violation.blockedURI ?? 'something';
  const where = sourceFile ? ` (${sourceFile}:${lineNumber ?? 0})` : '';
  return `The page policy blocked ${blocked} by ${effectiveDirective}${where}.`;
}
