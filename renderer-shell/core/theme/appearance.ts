import type { Language } from '../../../service/messages/languages.ts';

/** Theme, language and layout that apply from the first frame. */
export interface Appearance {
  theme: 'light' | 'dark';
  language: Language;
  /** True if the activity bar has no labels. */
  sidebarCollapsed: boolean;
}
