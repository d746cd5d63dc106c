import { asked, BrowserWindow, type FakeSession } from './electron.ts';
import { RawChromium } from './raw-chromium.ts';

/** Shows offscreen windows as pages of a separate Chromium with a real debugger. */

interface TargetInfo {
  targetId: string;
  type: string;
  url: string;
  title: string;
  openerId?: string;
}
interface Attached {
  sessionId: string;
  targetInfo: TargetInfo;
}

let started: Promise<RawChromium> | undefined;
const windows = new Map<string, BrowserWindow>();
/** Callbacks for pages that were requested and have not attached yet. */
const wanted = new Map<string, (attached: Attached) => void>();

export async function openOffscreen(window: BrowserWindow, url: string): Promise<void> {
  started ??= start();
  const chromium = await started;
  const browserContextId = await contextOf(window.webContents.session, chromium);
  const attached = Promise.withResolvers<Attached>();
  wanted.set(browserContextId, attached.resolve);
  await chromium.send('Target.createTarget', { url, browserContextId });
  join(window, await attached.promise, chromium);
  await resume(chromium, (await attached.promise).sessionId);
}

export async function closeOffscreen(): Promise<void> {
  const chromium = await started;
  started = undefined;
  for (const window of [...windows.values()]) window.destroy();
  await chromium?.close();
}

async function start(): Promise<RawChromium> {
  const chromium = await RawChromium.start();
  chromium.on('-', (method: string, params: object) => handleEvent(chromium, method, params));
  await chromium.send('Target.setDiscoverTargets', { discover: true });
  const options = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
  await chromium.send('Target.setAutoAttach', options);
  asked.renderers = () => chromium.renderers();
  return chromium;
}

/** A session is a browser context: a new one whenever its proxy changes or it is cleared. */
async function contextOf(session: FakeSession, chromium: RawChromium): Promise<string> {
  if (session.context !== null) return session.context;
  const { proxyRules: proxyServer, proxyBypassRules: proxyBypassList } = session.proxy;
  const made = await chromium.send('Target.createBrowserContext', { proxyServer, proxyBypassList });
  const { browserContextId } = made as { browserContextId: string };
  session.context = browserContextId;
  session.dispose = () => chromium.send('Target.disposeBrowserContext', { browserContextId });
  const mayLocate = session.handlers.get('check') as ((...args: unknown[]) => boolean) | undefined;
  // Nothing is granted, so Chromium refuses everything; fail if the app would allow it.
  if (mayLocate?.(null, 'geolocation', 'https://example.org', { isMainFrame: true }) === false)
    await chromium.send('Browser.grantPermissions', { permissions: [], browserContextId });
  const refusing = { behavior: 'deny', browserContextId, eventsEnabled: true };
  await chromium.send('Browser.setDownloadBehavior', refusing);
  return browserContextId;
}

function handleEvent(chromium: RawChromium, method: string, params: object): void {
  if (method === 'Target.attachedToTarget') attach(chromium, params as Attached);
  if (method === 'Target.targetDestroyed') windows.get((params as TargetInfo).targetId)?.destroy();
  if (method === 'Browser.downloadWillBegin') {
    const { frameId, url, suggestedFilename } = params as Record<string, string>;
    const contents = windows.get(frameId ?? '')?.webContents;
    const item = { getURL: () => url, getFilename: () => suggestedFilename };
    contents?.session.emit('will-download', { preventDefault: () => undefined }, item, contents);
  }
}

function attach(chromium: RawChromium, attached: Attached): void {
  const { sessionId, targetInfo } = attached;
  const { browserContextId = '' } = targetInfo as { browserContextId?: string };
  const opener = windows.get(targetInfo.openerId ?? '');
  const pending = wanted.get(browserContextId);
  if (targetInfo.type !== 'page') return void resume(chromium, sessionId);
  if (opener) return openedBy(opener, attached, chromium);
  wanted.delete(browserContextId);
  if (pending) pending(attached);
  else void resume(chromium, sessionId);
}

/** Asks the opener's window-open handler, as Electron does. */
function openedBy(opener: BrowserWindow, attached: Attached, chromium: RawChromium): void {
  const { sessionId, targetInfo } = attached;
  const decision = opener.webContents.openHandler?.({ url: targetInfo.url });
  if (decision?.action !== 'allow') {
    const { targetId } = targetInfo;
    return void chromium.send('Target.closeTarget', { targetId }).catch(() => undefined);
  }
  const window = new BrowserWindow(decision.overrideBrowserWindowOptions ?? {});
  join(window, attached, chromium);
  opener.webContents.emit('did-create-window', window, { url: targetInfo.url });
  void resume(chromium, sessionId);
}

function join(window: BrowserWindow, { sessionId, targetInfo }: Attached, chromium: RawChromium) {
  const { webContents: contents } = window;
  const { targetId } = targetInfo;
  windows.set(targetId, window);
  const line = contents.debugger;
  line.carry = (method, params, child) => chromium.send(method, params, child ?? sessionId);
  const listen = (session: string, child: string): void => {
    chromium.on(`-${session}`, (method: string, params: { sessionId?: string }) => {
      if (method === 'Target.attachedToTarget' && params.sessionId !== undefined)
        listen(params.sessionId, params.sessionId);
      if (line.isAttached()) line.emit('message', {}, method, params, child);
    });
  };
  listen(sessionId, '');
  window.once('closed', () => {
    windows.delete(targetId);
    line.carry = null;
    void chromium.send('Target.closeTarget', { targetId }).catch(() => undefined);
  });
}

const resume = (chromium: RawChromium, session: string): Promise<unknown> =>
  chromium.send('Runtime.runIfWaitingForDebugger', {}, session).catch(() => undefined);
