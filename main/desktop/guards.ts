import type { App, Session, WebContents } from 'electron';

/** No page may leave its place, open windows, or ask the system for anything. */
export function guardPages(app: App, serviceUrl: () => string): void {
  app.on('web-contents-created', (_event, contents) => guardContents(contents, serviceUrl));
  app.on('session-created', guardSession);
}

function guardContents(contents: WebContents, serviceUrl: () => string): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => {
    if (!mayNavigate(event.url, event.isMainFrame, serviceUrl())) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!mayNavigate(event.url, event.isMainFrame, serviceUrl())) event.preventDefault();
  });
}

/** The window stays at the shell; frames stay at the pages of plugins. */
export function mayNavigate(target: string, isMainFrame: boolean, serviceUrl: string): boolean {
  if (!URL.canParse(target)) return false;
  const url = new URL(target);
  if (isMainFrame) return url.protocol === 'app:' && url.host === 'shell';
  return url.origin === serviceUrl && url.pathname.startsWith('/plugin-runtime/');
}

export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
}
