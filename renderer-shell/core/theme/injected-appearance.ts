import { languageOf } from '../../../service/messages/languages.ts';
import type { Appearance } from './appearance.ts';

/** What the service wrote into the page: `setup` while it has no database, else the look of its settings. */
export type InjectedAppearance = Appearance | 'setup';

/** Null where nothing was written. */
export function injectedAppearance(page: Pick<Window, 'document'>): InjectedAppearance | null {
  const meta = page.document.querySelector<HTMLMetaElement>('meta[name=shell-look]');
  const [theme, language, collapsed] = meta?.content.split(' ') ?? [];
  if (theme === 'setup') return 'setup';
  if (theme !== 'light' && theme !== 'dark') return null;
  const sidebarCollapsed = collapsed === 'collapsed';
  return { theme, language: languageOf(language ?? ''), sidebarCollapsed };
}
