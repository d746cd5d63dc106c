import './settings.css';
import './words.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingsPatch } from '../../../service/contract/index.ts';
import { ErrorNote } from '../../ui/frame/error-note.tsx';
import { ListCover, ShowListButton } from '../../ui/frame/list-pane.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useTitle } from '../../ui/frame/window-title.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { AboutSettings } from './about-settings.tsx';
import { ComputerSettings } from './computer-settings.tsx';
import { DataSettings } from './data-settings.tsx';
import { DiagnosticsSettings } from './diagnostics-settings.tsx';
import { HookSettings } from './hook-settings.tsx';
import { IsolationSettings } from './isolation-settings.tsx';
import { LookSettings } from './look-settings.tsx';
import { MemorySettings } from './memory-settings.tsx';
import { ModelSettings } from './model-settings.tsx';
import { PermissionSettings } from './permission-settings.tsx';
import { PluginSettings } from './plugin-settings.tsx';
import type { Section } from './sections.ts';
import { sectionOf } from './sections.ts';
import { SettingsSidebar } from './settings-sidebar.tsx';
import { UpdateSettings } from './update-settings.tsx';
import { WebSettings } from './web-settings.tsx';
import { WorkSettings } from './work-settings.tsx';

export interface SettingsScreenProps {
  section: string | null;
  /** Whether the window is too narrow to show the list beside the content. */
  narrow: boolean;
}

/** What a person can set, in sections; a switch is stored at once, a form when it is saved. */
export function SettingsScreen({ section, narrow }: SettingsScreenProps) {
  const { t } = useTranslation();
  const { view } = useShell();
  const { listOpen } = useStore(view);
  const shown = sectionOf(section);
  const covered = narrow && listOpen;
  useTitle(t(`sections.${shown}`));
  return (
    <div className="screen" data-narrow={narrow}>
      <SettingsSidebar chosen={shown} hidden={narrow && !covered} />
      {covered && <ListCover />}
      <main className="content settings" aria-label={t('settings.title')}>
        <header className="toolbar">
          {narrow && <ShowListButton label={t('sections.showList')} />}
          <h1>{t('settings.title')}</h1>
        </header>
        <SectionBody key={shown} section={shown} />
      </main>
    </div>
  );
}

function SectionBody({ section }: { section: Section }) {
  const { settings } = useShell();
  const action = useAction();
  const store = (patch: SettingsPatch) => action.run(() => settings.change(patch));
  return (
    <div className="settings-body">
      {action.error !== null && <ErrorNote error={action.error} />}
      {bodies[section](store)}
    </div>
  );
}

export type StoreSettings = (patch: SettingsPatch) => Promise<boolean>;

const bodies: Record<Section, (store: StoreSettings) => ReactNode> = {
  look: (store) => <LookSettings onChange={(patch) => void store(patch)} />,
  models: () => <ModelSettings />,
  permissions: (store) => <PermissionSettings onChange={(patch) => void store(patch)} />,
  hooks: () => <HookSettings />,
  plugins: (store) => (
    <>
      <PluginSettings onChange={(patch) => void store(patch)} />
      <IsolationSettings onChange={store} />
    </>
  ),
  web: () => <WebSettings />,
  computer: (store) => <ComputerSettings onChange={(patch) => void store(patch)} />,
  memory: (store) => <MemorySettings onChange={(patch) => void store(patch)} />,
  work: () => <WorkSettings />,
  data: () => <DataSettings />,
  updates: () => <UpdateSettings />,
  diagnostics: () => <DiagnosticsSettings />,
  about: () => <AboutSettings />,
};
