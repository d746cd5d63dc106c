import './core/zod-without-eval.ts';
import './core/theme/shell.css';
import { afterPaint } from './core/after-paint.ts';
import { showSkeleton } from './skeleton/skeleton.ts';
import { frames } from './skeleton/markup.tsx';
import { hostBridge } from './core/host-bridge.ts';
import { initialAppearance } from './core/theme/stored-appearance.ts';
import { styleNonce } from './core/theme/style-nonce.ts';
import { injectedAppearance } from './core/theme/injected-appearance.ts';
import { takeTicket } from './core/session/address-ticket.ts';
import { createTokenStore } from './core/session/token-store.ts';

// The first frame is small; everything else loads in parallel.
const ticket = takeTicket(window);
const tokens = hostBridge() === undefined ? createTokenStore(window.sessionStorage) : null;
const hasAccess = tokens === null || ticket !== null || tokens.get() !== null;
const root = document.getElementById('shell');
if (root) {
  const appearance = initialAppearance(window);
  if (hasAccess && injectedAppearance(window) !== 'setup')
    showSkeleton(root, appearance, styleNonce());
  afterPaint(() => {
    import('./start.tsx').then(
      ({ start }) => start({ root, ticket, tokens }),
      () => root.replaceChildren(frames[appearance.language].failed),
    );
  });
}
