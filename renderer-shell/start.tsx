import '@mantine/core/styles.layer.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { followDesktop } from './state/follow-desktop.ts';
import { createAppearanceStore } from './core/theme/appearance-store.ts';
import { initialAppearance } from './core/theme/stored-appearance.ts';
import { styleNonce } from './core/theme/style-nonce.ts';
import { injectedAppearance } from './core/theme/injected-appearance.ts';
import { prepareScreen } from './shell/lazy-screens.ts';
import { Session } from './core/session/session.ts';
import type { TokenStore } from './core/session/token-store.ts';
import { routeOfPage } from './state/address.ts';
import { currentShell } from './state/current-shell.ts';
import { wait } from './core/wait.ts';
import { setLanguage } from './core/messages/translator.ts';

/**
 * How long the skeleton stays at most while the service has not answered or the screen is loading,
 * in milliseconds.
 */
const skeletonMs = 1_000;

interface StartOptions {
  root: HTMLElement;
  ticket: string | null;
  /** Null on the desktop, where the main process adds the token. */
  tokens: TokenStore | null;
}

/** Replaces the skeleton by the page. */
export async function start({ root, ticket, tokens }: StartOptions): Promise<void> {
  const nonce = styleNonce();
  // Read by the scroll lock of dialogs, which adds a style element of its own.
  Object.assign(globalThis, { __webpack_nonce__: nonce });
  const session = new Session(tokens);
  const injected = injectedAppearance(window);
  const started = session.start(ticket, injected !== null && injected !== 'setup');
  const languageLoaded = setLanguage(initialAppearance(window).language);
  const screen = prepareScreen(routeOfPage(window).area);
  await languageLoaded;
  const appearance = createAppearanceStore(window);
  const shell = currentShell(session, appearance);
  followDesktop(shell);

  const limit = new AbortController();
  const ready = Promise.all([started, screen]);
  await Promise.race([ready, wait(skeletonMs, limit.signal).catch(() => undefined)]);
  limit.abort();
  createRoot(root).render(
    <App session={session} shell={shell} appearance={appearance} nonce={nonce} />,
  );
}
