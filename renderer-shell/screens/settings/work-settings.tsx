import { useTranslation } from '../../core/messages/use-translation.ts';
import { TextSetting } from './text-setting.tsx';

const defaultFolder = '.host/workspace';

/** Edits the folder in which models run commands. */
export function WorkSettings() {
  const { t } = useTranslation();
  return (
    <section aria-label={t('sections.work')}>
      <h2>{t('sections.work')}</h2>
      <TextSetting
        name="workspaceDirectory"
        label={t('work.folder')}
        description={t('work.folderText')}
        placeholder={defaultFolder}
      />
    </section>
  );
}
