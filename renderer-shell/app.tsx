import { MantineProvider } from '@mantine/core';
import { useEffect } from 'react';
import { I18nextProvider } from 'react-i18next';
import { ShellFrame } from './shell.tsx';
import { rememberFocus } from './core/theme/focus-return.ts';
import type { LookStore } from './core/theme/look-store.ts';
import { theme, tokens } from './core/theme/theme.ts';
import { setupWizard, tokenPage } from './shell/lazy-screens.ts';
import { FailedPage, StartingPage } from './screens/start/waiting-pages.tsx';
import type { Session } from './core/session/session.ts';
import type { Shell } from './state/shell.ts';
import { ShellContext } from './state/shell.ts';
import type { Store } from './core/store.ts';
import { useStore } from './core/store.ts';
import { words } from './core/messages/words.ts';

export interface AppProps {
  session: Session;
  shell: Store<Shell | null>;
  look: LookStore;
  nonce: string;
}

/** The page: what fits the phase of the session, dressed in theme and language. */
export function App({ session, shell, look, nonce }: AppProps) {
  useEffect(() => rememberFocus(document), []);
  return (
    <I18nextProvider i18n={words}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={tokens}
        forceColorScheme={useStore(look).theme}
        getStyleNonce={() => nonce}
      >
        <PhasePage session={session} shell={useStore(shell)} look={look} />
      </MantineProvider>
    </I18nextProvider>
  );
}

interface PhaseProps {
  session: Session;
  shell: Shell | null;
  look: LookStore;
}

function PhasePage({ session, shell, look }: PhaseProps) {
  const phase = useStore(session.phase);
  switch (phase.kind) {
    case 'starting':
      return <StartingPage />;
    case 'failed':
      return <FailedPage error={phase.error} onRetry={() => void session.start(null)} />;
    case 'sign-in':
      return <tokenPage.Screen session={session} why={phase.why} look={look} />;
    case 'setup':
      return <setupWizard.Screen session={session} status={phase.status} look={look} />;
    case 'ready':
      if (!shell) return <StartingPage />;
      return (
        <ShellContext value={shell}>
          <ShellFrame />
        </ShellContext>
      );
  }
}
