import '@mantine/core/styles.layer.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { followDesktop } from './state/follow-desktop.ts';
import { createLookStore } from './core/theme/look-store.ts';
import { firstLook } from './core/theme/remembered-look.ts';
import { styleNonce } from './core/theme/style-nonce.ts';
import { toldLook } from './core/theme/told-look.ts';
import { prepareScreen } from './shell/lazy-screens.ts';
import { Session } from './core/session/session.ts';
import type { TokenShelf } from './core/session/token-shelf.ts';
import { routeOfPage } from './state/address.ts';
import { currentShell } from './state/current-shell.ts';
import { wait } from './core/wait.ts';
import { loadWords } from './core/messages/words.ts';

/** So long the first frame stays while the service has not said what to show, or the screen is not read. */
const firstFrameMs = 1_000;

interface Beginning {
  root: HTMLElement;
  ticket: string | null;
  /** Null on the desktop, where the main process adds the token. */
  tokens: TokenShelf | null;
}

/** Puts the page where the first frame is. */
export async function begin({ root, ticket, tokens }: Beginning): Promise<void> {
  const nonce = styleNonce();
  // Read by the scroll lock of dialogs, which adds a style element of its own.
  Object.assign(globalThis, { __webpack_nonce__: nonce });
  const session = new Session(tokens);
  const told = toldLook(window);
  const started = session.start(ticket, told !== null && told !== 'setup');
  const worded = loadWords(firstLook(window).language);
  const screen = prepareScreen(routeOfPage(window).area);
  await worded;
  const look = createLookStore(window);
  const shell = currentShell(session, look);
  followDesktop(shell);

  const limit = new AbortController();
  const ready = Promise.all([started, screen]);
  await Promise.race([ready, wait(firstFrameMs, limit.signal).catch(() => undefined)]);
  limit.abort();
  createRoot(root).render(<App session={session} shell={shell} look={look} nonce={nonce} />);
}
