import type {
  FileRef,
  HostFacts,
  InvokeOptions,
  NotifyOutcome,
  PluginClientApi,
  PluginEvents,
  Progress,
} from './api.ts';
import { errorCodes, pluginError } from './plugin-error.ts';
import { ErrorOverlay, type OverlayTexts } from './error-overlay.ts';
import type { PageScope } from './port-arrival.ts';
import { awaitPort, pageLoaded } from './port-arrival.ts';
import type { PortLink } from './port-link.ts';
import { openPortLink } from './port-link.ts';
import { type FailureReport, reportFailures } from './report-failures.ts';

/** The client accepts only a host with exactly this version. */
export const protocolVersion = '1';

const READY_LIMIT_MS = 10_000;
const LOAD_LIMIT_MS = 60_000;

type Listeners = { [E in keyof PluginEvents]: Set<(value: PluginEvents[E]) => void> };

/** Creates the client of one page and listens for its port. */
export function createPluginClient(page: PageScope): PluginClientApi {
  const listeners: Listeners = { theme: new Set(), locale: new Set(), progress: new Set() };
  const progressOf = new Map<string, (progress: Progress) => void>();
  const capabilities: string[] = [];

  const onEvent = (event: string, data: unknown) => {
    if (event === 'progress') {
      const { callId, ...progress } = data as PluginEvents['progress'];
      progressOf.get(callId)?.(progress);
    }
    if (!(event in listeners)) return;
    const set = listeners[event as keyof Listeners] as Set<(value: unknown) => void>;
    for (const listener of [...set]) listener(data);
  };

  const connect = connection(page, onEvent, (offered) => {
    capabilities.splice(0, capabilities.length, ...offered);
  });
  let overlay: ErrorOverlay | null = null;
  const reported = async (report: FailureReport): Promise<void> => {
    const { link, overlayTexts } = await connect();
    // The host resolves the position in a bundle to the source.
    const answer = await link.request('log', report).catch(() => null);
    if (overlayTexts === undefined) return;
    overlay ??= new ErrorOverlay(document, overlayTexts);
    overlay.show({ ...report, ...(answer as Pick<FailureReport, 'place'> | null) });
  };
  reportFailures(page, (report) => {
    reported(report).catch(() => undefined);
  });
  const request = async <T>(method: string, params?: unknown): Promise<T> => {
    const { link } = await connect();
    return (await link.request(method, params)) as T;
  };

  return {
    protocolVersion,
    capabilities,
    ready: async () => (await connect()).facts,
    invoke: <T>(method: string, params?: unknown, options: InvokeOptions = {}) => {
      const listens = options.onProgress !== undefined || listeners.progress.size > 0;
      const call = { method, params, ...(listens ? { progress: true } : {}) };
      return invoke<T>({ request, progressOf }, call, options);
    },
    cancel: (callId) => request('cancel', { callId }),
    pickFile: (options = {}) => request<FileRef>('pickFile', options),
    pickDirectory: (options = {}) => request<FileRef>('pickDirectory', options),
    createOutput: (name) => request<FileRef>('createOutput', { name }),
    exportOutput: (ref) => request('exportOutput', { ref }),
    notify: (notification) => request<NotifyOutcome>('notify', notification),
    on: (event, listener) => {
      if (!Object.hasOwn(listeners, event)) throw unknownEvent(event);
      listeners[event].add(listener);
      return () => void listeners[event].delete(listener);
    },
  };
}

interface Connected {
  link: PortLink;
  facts: HostFacts;
  /** Set only if errors are shown in the page. */
  overlayTexts: OverlayTexts | undefined;
}

/** The shell's answer; the page sees only the `HostFacts` in it. */
interface ReadyAnswer extends HostFacts {
  capabilities?: string[];
  errorOverlay?: OverlayTexts;
}

/** Returns a function that connects once. A failed attempt can be repeated. */
function connection(
  page: PageScope,
  onEvent: (event: string, data: unknown) => void,
  onCapabilities: (capabilities: string[]) => void,
): () => Promise<Connected> {
  const arrival = awaitPort(page);
  let link: PortLink | null = null;
  let attempt: Promise<Connected> | null = null;

  const open = async (): Promise<Connected> => {
    const arrived = await arrival;
    link ??= openPortLink(arrived.port, onEvent);
    const answering = link.request('host.ready', { protocolVersion });
    if (arrived.protocolVersion !== protocolVersion) {
      // The request tells the shell about the other version, so that it shows a message; the answer
      // is not needed.
      answering.catch(() => undefined);
      throw otherVersion(arrived.protocolVersion);
    }
    const answer = await answering;
    const { capabilities = [], errorOverlay: overlayTexts, ...facts } = answer as ReadyAnswer;
    if (facts.protocolVersion !== protocolVersion) throw otherVersion(facts.protocolVersion);
    refuseForeignPage(page.location.pathname, facts.pluginId);
    onCapabilities(capabilities);
    return { link, facts, overlayTexts };
  };

  return () => {
    attempt ??= pageLoaded(page, LOAD_LIMIT_MS)
      .then(() => within(READY_LIMIT_MS, open()))
      .catch((error: unknown) => {
        attempt = null;
        throw error;
      });
    return attempt;
  };
}

interface Calls {
  request: <T>(method: string, params?: unknown) => Promise<T>;
  progressOf: Map<string, (progress: Progress) => void>;
}

async function invoke<T>(
  { request, progressOf }: Calls,
  call: { method: string; params: unknown; progress?: boolean },
  { callId = newCallId(), signal, onProgress }: InvokeOptions,
): Promise<T> {
  if (signal?.aborted) throw cancelled();
  if (onProgress) progressOf.set(callId, onProgress);
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      reject(cancelled());
      request('cancel', { callId }).catch(() => undefined);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([request<T>('invoke', { callId, ...call }), aborted]);
  } finally {
    progressOf.delete(callId);
    if (onAbort) signal?.removeEventListener('abort', onAbort);
  }
}

function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(noHost()), limitMs);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}

/**
 * A malicious plugin could embed the page of another plugin in its own frame; that page must not
 * trust it.
 */
function refuseForeignPage(pathname: string, pluginId: string): void {
  const own = /^\/plugin-runtime\/([^/]+)\//.exec(pathname)?.[1];
  if (own === undefined || own === pluginId) return;
  throw pluginError(
    errorCodes.foreignPage,
    `This page belongs to the plugin ${own}, but was opened as ${pluginId}.`,
  );
}

/** `crypto.randomUUID` is missing in insecure contexts. */
function newCallId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const unknownEvent = (event: string) =>
  pluginError(
    errorCodes.invalidParams,
    `There is no event “${event}”. The events are theme, locale and progress.`,
  );

const cancelled = () => pluginError(errorCodes.cancelled, 'The call was cancelled.');

const noHost = () =>
  pluginError(
    errorCodes.noHost,
    'This page is not running inside the host. Open the plugin in the host to use it.',
  );

const otherVersion = (theirs: string) =>
  pluginError(
    errorCodes.otherVersion,
    `This page speaks version ${protocolVersion} of the plugin bridge, the host speaks version ${theirs}. ` +
      'Update the plugin or the host.',
  );
