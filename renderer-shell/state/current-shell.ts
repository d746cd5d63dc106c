import type { AppearanceStore } from '../core/theme/appearance-store.ts';
import type { Session } from '../core/session/session.ts';
import type { Store } from '../core/store.ts';
import { createStore } from '../core/store.ts';
import { languageOf } from '../../service/messages/languages.ts';
import type { Shell } from './shell.ts';
import { createShell } from './shell.ts';

/**
 * Returns the shell while the session is ready, else null. Its settings determine the appearance.
 */
export function currentShell(session: Session, appearance: AppearanceStore): Store<Shell | null> {
  const current = createStore<Shell | null>(null);
  const follow = () => {
    const phase = session.phase.get();
    current.get()?.close();
    current.set(phase.kind === 'ready' ? open(phase.settings) : null);
  };
  session.phase.subscribe(follow);
  follow();

  function open(settings: Parameters<typeof createShell>[1]): Shell {
    const shell = createShell(session, settings);
    const apply = () => {
      const { theme, language, sidebarCollapsed } = shell.settings.get();
      appearance.set({ theme, language: languageOf(language), sidebarCollapsed });
    };
    apply();
    shell.settings.subscribe(apply);
    return shell;
  }
  return current;
}
