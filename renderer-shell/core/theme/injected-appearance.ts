import { languageOf } from '../../../service/messages/languages.ts';
import type { Appearance } from './appearance.ts';

/**
 * Settings that the service wrote into the page: `setup` while it has no database, else the
 * appearance.
 */
export type InjectedAppearance = Appearance | 'setup';

/** Returns null if the service wrote nothing. */
export function injectedAppearance(page: Pick<Window, 'document'>): InjectedAppearance | null {
  const meta = page.document.querySelector<HTMLMetaElement>('meta[name=shell-look]');
  const [theme, language, collapsed] = meta?.content.split(' ') ?? [];
  if (theme === 'setup') return 'setup';
  if (theme !== 'light' && theme !== 'dark') return null;
  const sidebarCollapsed = collapsed === 'collapsed';
  return { theme, language: languageOf(language ?? ''), sidebarCollapsed };
}
