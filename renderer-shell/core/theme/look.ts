import type { Language } from '../messages/languages.ts';

export interface Look {
  theme: 'light' | 'dark';
  language: Language;
  /** The activity bar is without labels. */
  sidebarCollapsed: boolean;
}
