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

/** Keeps all pages from leaving their address, opening windows and asking for permissions. */
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
  // WebRTC ignores the Content Security Policy of a page, so it could send data out of a frame.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  // Links of the shell open in the browser once a person has agreed; the sandbox of frames forbids
  // them.
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url);
    return { action: 'deny' };
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  const stay = (event: Event<WebContentsWillFrameNavigateEventParams>): void => {
    if (!mayNavigate(event, serviceUrl())) event.preventDefault();
  };
  // Fires for the main frame too, so `will-navigate` is not needed.
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', stay);
}

/** Pages of models may load any web address; the proxy of their session checks each one. */
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

/**
 * Answers of the service must not be opened as a page: they would run with the privileges of the
 * shell.
 */
function isShellPage(address: string): boolean {
  return isShellAddress(address) && shellPages.includes(new URL(address).pathname);
}

/** The window stays at the shell; a frame may open pages of one plugin only. */
function mayNavigate({ url, isMainFrame, frame }: Navigation, serviceUrl: string): boolean {
  if (isMainFrame) return isShellPage(url);
  const target = pluginOf(url, serviceUrl);
  const current = pluginOf(frame?.url ?? '', serviceUrl);
  return target !== null && (current === null || current === target);
}

/** Returns the plugin id in the address of a plugin page; null for any other address. */
function pluginOf(address: string, serviceUrl: string): string | null {
  if (!URL.canParse(address)) return null;
  const { origin, pathname } = new URL(address);
  const id = /^\/plugin-runtime\/([^/]+)\//.exec(pathname)?.[1];
  return origin === serviceUrl ? (id ?? null) : null;
}

/**
 * Chromium asks for these before a page may frame a loopback address, as the shell does with plugin
 * pages.
 */
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
