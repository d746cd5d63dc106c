import type { Language } from '../../../service/messages/languages.ts';

/** Appearance of the shell, kept in the browser so that the first paint has it. */
export interface Appearance {
  theme: 'light' | 'dark';
  language: Language;
  /** The activity bar is without labels. */
  sidebarCollapsed: boolean;
}
