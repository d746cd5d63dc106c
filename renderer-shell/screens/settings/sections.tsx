import {
  IconBlockquote,
  IconBrain,
  IconChartBar,
  IconDatabase,
  IconDeviceDesktop,
  IconDownload,
  IconFileImport,
  IconFolder,
  IconInfoCircle,
  IconPalette,
  IconPuzzle,
  IconServer2,
  IconShieldLock,
  IconSparkles,
  IconStethoscope,
  IconWebhook,
  IconWorldSearch,
} from '@tabler/icons-react';
import type { Icon as TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AboutSettings } from './about-settings.tsx';
import { ComputerSettings } from './computer-settings.tsx';
import { DataSettings } from './data-settings.tsx';
import { DesktopSettings } from './desktop-settings.tsx';
import { DiagnosticsSettings } from './diagnostics-settings.tsx';
import { HookSettings } from './hook-settings.tsx';
import { HostSettings } from './host-settings.tsx';
import { ImportSettings } from './import-settings.tsx';
import { IsolationSettings } from './isolation-settings.tsx';
import { AppearanceSettings } from './appearance-settings.tsx';
import { MemorySettings } from './memory-settings.tsx';
import { ModelSettings } from './model-settings.tsx';
import { PermissionSettings } from './permission-settings.tsx';
import { PluginSettings } from './plugin-settings.tsx';
import { PromptSettings } from './prompt-settings.tsx';
import { UpdateSettings } from './update-settings.tsx';
import { UsageSettings } from './usage-settings.tsx';
import { WebSettings } from './web-settings.tsx';
import { WorkSettings } from './work-settings.tsx';
import type { SettingsPatch } from '../../../service/contract/index.ts';

/** Resolves with false if it could not be stored; the error is shown. */
type StoreSettings = (patch: SettingsPatch) => Promise<boolean>;

interface SectionShape {
  /** Part of addresses; `sections.<id>` and `sections.<id>Text` are its texts. */
  id: string;
  icon: TablerIcon;
  body: (store: StoreSettings) => ReactNode;
}

/** The sections of the settings, from top to bottom. */
export const sections = [
  {
    id: 'look',
    icon: IconPalette,
    body: (store) => (
      <>
        <AppearanceSettings onChange={(patch) => void store(patch)} />
        <DesktopSettings onChange={(patch) => void store(patch)} />
      </>
    ),
  },
  { id: 'models', icon: IconSparkles, body: () => <ModelSettings /> },
  { id: 'prompts', icon: IconBlockquote, body: () => <PromptSettings /> },
  { id: 'usage', icon: IconChartBar, body: () => <UsageSettings /> },
  { id: 'import', icon: IconFileImport, body: () => <ImportSettings /> },
  {
    id: 'permissions',
    icon: IconShieldLock,
    body: (store) => <PermissionSettings onChange={(patch) => void store(patch)} />,
  },
  { id: 'hooks', icon: IconWebhook, body: () => <HookSettings /> },
  {
    id: 'plugins',
    icon: IconPuzzle,
    body: (store) => (
      <>
        <PluginSettings onChange={(patch) => void store(patch)} />
        <IsolationSettings onChange={store} />
      </>
    ),
  },
  { id: 'web', icon: IconWorldSearch, body: () => <WebSettings /> },
  {
    id: 'computer',
    icon: IconDeviceDesktop,
    body: (store) => <ComputerSettings onChange={(patch) => void store(patch)} />,
  },
  {
    id: 'memory',
    icon: IconBrain,
    body: (store) => <MemorySettings onChange={(patch) => void store(patch)} />,
  },
  { id: 'work', icon: IconFolder, body: () => <WorkSettings /> },
  {
    id: 'data',
    icon: IconDatabase,
    body: (store) => <DataSettings onChange={(patch) => void store(patch)} />,
  },
  { id: 'updates', icon: IconDownload, body: () => <UpdateSettings /> },
  { id: 'hosts', icon: IconServer2, body: () => <HostSettings /> },
  { id: 'diagnostics', icon: IconStethoscope, body: () => <DiagnosticsSettings /> },
  { id: 'about', icon: IconInfoCircle, body: () => <AboutSettings /> },
] as const satisfies readonly SectionShape[];

export type Section = (typeof sections)[number];

export const sectionOf = (id: string | null): Section =>
  sections.find((section) => section.id === id) ?? sections[0];
