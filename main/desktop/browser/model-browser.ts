import { randomUUID } from 'node:crypto';
import {
  app,
  type BrowserWindow,
  type DownloadItem,
  type Session,
  type WebContents,
} from 'electron';
import { type DevtoolsBrowser, maxResidentBytes } from '../../../service/app/index.ts';
import { createModelWindow } from '../window.ts';
import { ModelPage } from './model-page.ts';
import { closeModelSession, openModelSession } from './model-sessions.ts';

interface Command {
  id: number;
  method: string;
  params?: Record<string, unknown>;
  sessionId?: string;
}

/** Target of the commands of one protocol session. */
interface Line {
  page: ModelPage;
  /** Session of a frame or worker inside the page; '' for the page itself. */
  child: string;
}

/** Events that pages can send without limit and that no client uses. */
const unheard = new Set([
  ...['Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Log.entryAdded'],
  ...['Network.dataReceived', 'Network.webSocketFrameReceived', 'Network.webSocketFrameSent'],
]);
/** Browser-level methods that a page session answers itself. */
const ofPages = new Set(['Target.setAutoAttach', 'Target.getTargetInfo']);
const watchMs = 1_000;

/**
 * Presents Electron's windows as one browser of the DevTools protocol. Answers browser and target
 * methods here and forwards all other methods to the page of their session.
 */
export class ModelBrowser implements DevtoolsBrowser {
  private readonly respond: (message: object) => void;
  private readonly contexts = new Map<string, Session>();
  private readonly pages = new Map<string, { page: ModelPage; context: string; line: string }>();
  private readonly lines = new Map<string, Line>();
  private readonly watch: NodeJS.Timeout;

  constructor(respond: (message: object) => void) {
    this.respond = respond;
    this.watch = setInterval(() => this.endHogs(), watchMs).unref();
  }

  send(message: object): void {
    const { id, method, params = {}, sessionId } = message as Command;
    const of = sessionId === undefined ? {} : { sessionId };
    this.carryOut(method, params, sessionId).then(
      (result) => this.respond({ id, ...of, result: result ?? {} }),
      (error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        this.respond({ id, ...of, error: { code: -32_000, message: reason } });
      },
    );
  }

  async end(): Promise<void> {
    clearInterval(this.watch);
    await Promise.all([...this.contexts.keys()].map((name) => this.closeContext(name)));
  }

  private async carryOut(
    method: string,
    params: Record<string, unknown>,
    sessionId: string | undefined,
  ): Promise<unknown> {
    const line = this.lines.get(sessionId ?? '');
    const own = this.browserCommands[method];
    if (own && !(line && ofPages.has(method))) return own(params, line);
    // Electron manages windows, downloads and permissions, so these methods do nothing.
    if (/^(Browser|Storage)\./.test(method)) return {};
    if (!line) throw new Error(`There is no page for ${method}.`);
    return line.page.send(method, params, line.child);
  }

  private readonly browserCommands: Record<
    string,
    ((params: Record<string, unknown>, line: Line | undefined) => unknown) | undefined
  > = {
    'Browser.getVersion': () => ({
      protocolVersion: '1.3',
      product: `HeadlessChrome/${process.versions['chrome'] ?? '1'}`,
      revision: '',
      userAgent: 'HeadlessChrome',
      jsVersion: process.versions.v8,
    }),
    'Browser.getWindowForTarget': () => ({ windowId: 1, bounds: {} }),
    'Target.setAutoAttach': () => ({}),
    'Target.attachToBrowserTarget': () => ({ sessionId: randomUUID() }),
    'Target.createBrowserContext': async ({ proxyServer }) => {
      const browserContextId = randomUUID();
      const session = await openModelSession(proxyServer);
      this.contexts.set(browserContextId, session);
      session.on('will-download', this.reportDownload);
      return { browserContextId };
    },
    'Target.disposeBrowserContext': ({ browserContextId }) =>
      this.closeContext(String(browserContextId)),
    'Target.createTarget': async ({ browserContextId }) => ({
      targetId: await this.openPage(String(browserContextId)),
    }),
    'Target.attachToTarget': ({ targetId }) => {
      const entry = this.pages.get(String(targetId));
      if (!entry) throw new Error('There is no such page.');
      const sessionId = randomUUID();
      this.lines.set(sessionId, { page: entry.page, child: '' });
      return { sessionId };
    },
    'Target.getTargetInfo': () => ({
      targetInfo: { targetId: 'browser', type: 'browser', url: '', title: '' },
    }),
    'Target.closeTarget': ({ targetId }) => this.pages.get(String(targetId))?.page.close(),
    'Page.close': (_params, line) => line?.page.close(),
  };

  private async openPage(context: string): Promise<string> {
    const session = this.contexts.get(context);
    if (!session) throw new Error('There is no such context.');
    const window = createModelWindow(session);
    try {
      await window.loadURL('about:blank');
      return await this.adopt(window, context);
    } catch (error) {
      window.destroy();
      throw error;
    }
  }

  /** Announces the page of a window and forwards its events from then on. */
  private async adopt(window: BrowserWindow, context: string, opener?: string): Promise<string> {
    const line = randomUUID();
    const page: ModelPage = await ModelPage.open(window, {
      onEvent: (method, params, child) => this.forwardEvent({ page, child }, line, method, params),
      opened: (next) => void this.adopt(next, context, page.id).catch(() => next.destroy()),
      gone: () => this.forget(page.id),
    });
    this.pages.set(page.id, { page, context, line });
    this.lines.set(line, { page, child: '' });
    const targetInfo = {
      targetId: page.id,
      type: 'page',
      url: 'about:blank',
      title: '',
      browserContextId: context,
      attached: true,
      ...(opener === undefined ? {} : { openerId: opener }),
    };
    const params = { sessionId: line, targetInfo, waitingForDebugger: false };
    this.respond({ method: 'Target.attachedToTarget', params });
    return page.id;
  }

  private forwardEvent({ page, child }: Line, line: string, method: string, params: object): void {
    if (unheard.has(method)) return;
    const { sessionId } = params as { sessionId?: string };
    if (method === 'Target.attachedToTarget' && sessionId !== undefined)
      this.lines.set(sessionId, { page, child: sessionId });
    if (method === 'Target.detachedFromTarget' && sessionId !== undefined)
      this.lines.delete(sessionId);
    this.respond({ method, params, sessionId: child === '' ? line : child });
  }

  private forget(id: string): void {
    const entry = this.pages.get(id);
    if (!entry) return;
    this.pages.delete(id);
    for (const [name, { page }] of this.lines) if (page === entry.page) this.lines.delete(name);
    const params = { sessionId: entry.line, targetId: id };
    this.respond({ method: 'Target.detachedFromTarget', params });
  }

  private async closeContext(name: string): Promise<void> {
    const session = this.contexts.get(name);
    this.contexts.delete(name);
    for (const { page, context } of [...this.pages.values()]) if (context === name) page.close();
    if (!session) return;
    session.off('will-download', this.reportDownload);
    await closeModelSession(session);
  }

  /** Reports a download as cancelled: every session refuses downloads. */
  private readonly reportDownload = (
    _event: unknown,
    item: DownloadItem,
    from: WebContents,
  ): void => {
    const entry = [...this.pages.values()].find(({ page }) => page.contents === from);
    if (!entry) return;
    const guid = randomUUID();
    const about = { guid, url: item.getURL(), suggestedFilename: item.getFilename() };
    this.respond({
      method: 'Browser.downloadWillBegin',
      params: { frameId: entry.page.id, ...about },
    });
    const progress = { guid, totalBytes: 0, receivedBytes: 0, state: 'canceled' };
    this.respond({ method: 'Browser.downloadProgress', params: progress });
  };

  /** Closes pages that use more memory than allowed and reports them as crashed. */
  private endHogs(): void {
    const pids = new Set([...this.pages.values()].flatMap(({ page }) => page.processes));
    if (pids.size === 0) return;
    for (const { pid, memory } of app.getAppMetrics())
      if (pids.has(pid) && memory.workingSetSize * 1_024 > maxResidentBytes) kill(pid);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already exited.
  }
}
