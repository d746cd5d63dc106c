import type { Language } from '../../../service/messages/languages.ts';

export interface Appearance {
  theme: 'light' | 'dark';
  language: Language;
  /** The activity bar is without labels. */
  sidebarCollapsed: boolean;
}
