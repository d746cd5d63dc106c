import type {
  App,
  Event,
  Session,
  WebContents,
  WebContentsWillFrameNavigateEventParams,
} from 'electron';
import { isOfModels } from './browser/model-sessions.ts';
import { startWithoutSpelling } from './spelling.ts';
import { isShellAddress } from './shell-scheme.ts';

/** No page may leave its place, open windows, or ask the system for anything. */
export function guardPages(
  app: App,
  serviceUrl: () => string,
  openOutside: (address: string) => void,
): void {
  app.on('web-contents-created', (_event, contents) => {
    if (isOfModels(contents.session)) guardModelPage(contents);
    else guardContents(contents, serviceUrl, openOutside);
  });
  app.on('session-created', guardSession);
}

function guardContents(
  contents: WebContents,
  serviceUrl: () => string,
  openOutside: (address: string) => void,
): void {
  // A page's policy does not stop WebRTC, which would be a way out of the frame.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  // A link of the shell leads outside, once a person has agreed; frames may not even ask (their sandbox).
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url);
    return { action: 'deny' };
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  const stay = (event: Event<WebContentsWillFrameNavigateEventParams>): void => {
    if (!mayNavigate(event, serviceUrl())) event.preventDefault();
  };
  // Also of the main frame: `will-navigate` adds nothing to it.
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
}

/** The pages of models go wherever the web is; who checks each address is the proxy of their session. */
function guardModelPage(contents: WebContents): void {
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  const stay = (event: Event<WebContentsWillFrameNavigateEventParams>): void => {
    if (!isOfTheWeb(event.url)) event.preventDefault();
  };
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
}

const webProtocols = ['http:', 'https:', 'about:', 'data:', 'blob:'];

function isOfTheWeb(address: string): boolean {
  return URL.canParse(address) && webProtocols.includes(new URL(address).protocol);
}

type Navigation = Pick<WebContentsWillFrameNavigateEventParams, 'url' | 'isMainFrame'> & {
  frame: { url: string } | null;
};

const shellPages = ['/', '/index.html'];

/** What the service answers is read by the shell; shown in its place it would have its powers. */
function isShellPage(address: string): boolean {
  return isShellAddress(address) && shellPages.includes(new URL(address).pathname);
}

/** The window stays at the shell; a frame goes to the page of a plugin and stays with that plugin. */
function mayNavigate({ url, isMainFrame, frame }: Navigation, serviceUrl: string): boolean {
  if (isMainFrame) return isShellPage(url);
  const target = pluginOf(url, serviceUrl);
  const current = pluginOf(frame?.url ?? '', serviceUrl);
  return target !== null && (current === null || current === target);
}

/** The id in the address of a plugin page; null for every other address. */
function pluginOf(address: string, serviceUrl: string): string | null {
  if (!URL.canParse(address)) return null;
  const { origin, pathname } = new URL(address);
  const id = /^\/plugin-runtime\/([^/]+)\//.exec(pathname)?.[1];
  return origin === serviceUrl ? (id ?? null) : null;
}

/** Chromium asks before a page may frame an address of this machine, as the shell does. */
const loopbackPermissions = ['loopback-network', 'local-network-access'];

function mayUse(permission: string, origin: string, isMainFrame: boolean): boolean {
  return loopbackPermissions.includes(permission) && isMainFrame && isShellAddress(origin);
}

export function guardSession(session: Session): void {
  startWithoutSpelling(session);
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(mayUse(permission, details.requestingUrl, details.isMainFrame)),
  );
  session.setPermissionCheckHandler((_contents, permission, origin, details) =>
    mayUse(permission, origin, details.isMainFrame),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  session.on('will-download', (event) => event.preventDefault());
}
