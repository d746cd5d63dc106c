import './settings.css';
import './translations.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { SettingsPatch } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { ListCover, ShowListButton } from '../../ui/frame/list-pane.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useTitle } from '../../ui/frame/window-title.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import type { Section } from './sections.tsx';
import { sectionOf } from './sections.tsx';
import { SettingsSidebar } from './settings-sidebar.tsx';

/** Props of the settings area. */
export interface SettingsScreenProps {
  section: string | null;
  /** True if the window is too narrow to show the list beside the content. */
  narrow: boolean;
}

/** Shows the settings in sections; a switch is stored at once, a form when it is saved. */
export function SettingsScreen({ section, narrow }: SettingsScreenProps) {
  const { t } = useTranslation();
  const { view } = useShell();
  const { listOpen } = useStore(view);
  const current = sectionOf(section);
  const covered = narrow && listOpen;
  useTitle(t(`sections.${current.id}`));
  return (
    <div className="screen" data-narrow={narrow}>
      <SettingsSidebar chosen={current.id} hidden={narrow && !covered} />
      {covered && <ListCover />}
      <main className="content settings" aria-label={t('settings.title')}>
        <header className="toolbar">
          {narrow && <ShowListButton label={t('sections.showList')} />}
          <h1 title={t('settings.title')}>{t('settings.title')}</h1>
        </header>
        <SectionBody key={current.id} section={current} />
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
      {action.error !== null && <ErrorAlert error={action.error} />}
      {section.body(store)}
    </div>
  );
}
