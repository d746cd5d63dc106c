import '@mantine/core/styles.layer.css';
import './look/shell.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { followDesktop } from './desktop/follow-desktop.ts';
import { hostBridge } from './desktop/host-bridge.ts';
import { createLookStore } from './look/look-store.ts';
import { rememberedLook } from './look/remembered-look.ts';
import { styleNonce } from './look/style-nonce.ts';
import { prepareScreen } from './screens/lazy-screens.ts';
import { takeTicket } from './session/address-ticket.ts';
import { Session } from './session/session.ts';
import { createTokenShelf } from './session/token-shelf.ts';
import { currentShell } from './state/current-shell.ts';
import { routeOfPage } from './state/route.ts';
import { loadWords } from './words/words.ts';

const ticket = takeTicket(window);
const nonce = styleNonce();
prepareScreen(routeOfPage(window).area);
// Read by the scroll lock of dialogs, which adds a style element of its own.
Object.assign(globalThis, { __webpack_nonce__: nonce });

/** So long the page stays empty while the service has not said what to show. */
const emptyMs = 150;

/** Not awaited by this module: screens import what is read with it, and would wait for its end. */
async function begin(): Promise<void> {
  await loadWords(rememberedLook(window).language);
  const look = createLookStore(window);
  const onDesktop = hostBridge() !== undefined;
  const session = new Session(onDesktop ? null : createTokenShelf(window.sessionStorage));
  const shell = currentShell(session, look);
  followDesktop(shell);

  const root = document.getElementById('shell');
  const started = session.start(ticket);
  await Promise.race([started, new Promise((resolve) => setTimeout(resolve, emptyMs))]);
  if (root) createRoot(root).render(<App {...{ session, shell, look, nonce }} />);
  await started;
}

void begin();
