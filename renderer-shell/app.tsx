import { MantineProvider } from '@mantine/core';
import { useEffect } from 'react';
import { ShellFrame } from './shell.tsx';
import { trackFocus } from './core/theme/restore-focus.ts';
import type { AppearanceStore } from './core/theme/appearance-store.ts';
import { theme, tokens } from './core/theme/theme.ts';
import { setupWizard, tokenPage } from './shell/lazy-screens.ts';
import { FailedPage, StartingPage } from './screens/start/startup-pages.tsx';
import type { Session } from './core/session/session.ts';
import type { Shell } from './state/shell.ts';
import { ShellContext } from './state/shell.ts';
import type { Store } from './core/store.ts';
import { useStore } from './core/store.ts';

/** Props of the page. */
export interface AppProps {
  session: Session;
  shell: Store<Shell | null>;
  appearance: AppearanceStore;
  nonce: string;
}

/** Renders the page for the phase of the session, with its theme and language. */
export function App({ session, shell, appearance, nonce }: AppProps) {
  useEffect(() => trackFocus(document), []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={tokens}
      forceColorScheme={useStore(appearance).theme}
      getStyleNonce={() => nonce}
    >
      <PhasePage session={session} shell={useStore(shell)} appearance={appearance} />
    </MantineProvider>
  );
}

interface PhaseProps {
  session: Session;
  shell: Shell | null;
  appearance: AppearanceStore;
}

function PhasePage({ session, shell, appearance }: PhaseProps) {
  const phase = useStore(session.phase);
  switch (phase.kind) {
    case 'starting':
      return <StartingPage />;
    case 'failed':
      return <FailedPage error={phase.error} onRetry={() => void session.start(null)} />;
    case 'sign-in':
      return <tokenPage.Screen session={session} why={phase.why} appearance={appearance} />;
    case 'setup':
      return <setupWizard.Screen session={session} status={phase.status} appearance={appearance} />;
    case 'ready':
      if (!shell) return <StartingPage />;
      return (
        <ShellContext value={shell}>
          <ShellFrame />
        </ShellContext>
      );
  }
}
