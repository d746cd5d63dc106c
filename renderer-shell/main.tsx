import './core/zod-without-eval.ts';
import './core/theme/shell.css';
import { afterPaint } from './core/after-paint.ts';
import { showFirstFrame } from './first-frame/first-frame.ts';
import { frames } from './first-frame/markup.tsx';
import { hostBridge } from './core/host-bridge.ts';
import { firstLook } from './core/theme/remembered-look.ts';
import { styleNonce } from './core/theme/style-nonce.ts';
import { toldLook } from './core/theme/told-look.ts';
import { takeTicket } from './core/session/address-ticket.ts';
import { createTokenShelf } from './core/session/token-shelf.ts';

// What is seen first is small; all else is read beside it.
const ticket = takeTicket(window);
const tokens = hostBridge() === undefined ? createTokenShelf(window.sessionStorage) : null;
const mayEnter = tokens === null || ticket !== null || tokens.get() !== null;
const root = document.getElementById('shell');
if (root) {
  const look = firstLook(window);
  if (mayEnter && toldLook(window) !== 'setup') showFirstFrame(root, look, styleNonce());
  afterPaint(() => {
    import('./start.tsx').then(
      ({ begin }) => begin({ root, ticket, tokens }),
      () => root.replaceChildren(frames[look.language].failed),
    );
  });
}
