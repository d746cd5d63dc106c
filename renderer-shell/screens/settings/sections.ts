import {
  IconBrain,
  IconDatabase,
  IconDeviceDesktop,
  IconDownload,
  IconFolder,
  IconInfoCircle,
  IconPalette,
  IconPuzzle,
  IconShieldLock,
  IconSparkles,
  IconStethoscope,
  IconWebhook,
  IconWorldSearch,
} from '@tabler/icons-react';

/** The sections of the settings, as they stand in addresses, top to bottom. */
export const sections = [
  { id: 'look', icon: IconPalette },
  { id: 'models', icon: IconSparkles },
  { id: 'permissions', icon: IconShieldLock },
  { id: 'hooks', icon: IconWebhook },
  { id: 'plugins', icon: IconPuzzle },
  { id: 'web', icon: IconWorldSearch },
  { id: 'computer', icon: IconDeviceDesktop },
  { id: 'memory', icon: IconBrain },
  { id: 'work', icon: IconFolder },
  { id: 'data', icon: IconDatabase },
  { id: 'updates', icon: IconDownload },
  { id: 'diagnostics', icon: IconStethoscope },
  { id: 'about', icon: IconInfoCircle },
] as const;

export type Section = (typeof sections)[number]['id'];

export const sectionOf = (id: string | null): Section =>
  sections.find((section) => section.id === id)?.id ?? 'look';
