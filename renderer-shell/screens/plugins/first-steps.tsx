import { Button } from '@mantine/core';
import { IconBuildingStore, IconLanguage, IconSitemap, IconSparkles } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { languageName } from '../../core/messages/language-name.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { languageOf } from '../../../service/messages/languages.ts';
import '../../core/messages/home-translations.ts';

/** Suggests the first steps to new users; hidden once a model is set up. */
export function FirstSteps() {
  const { t } = useTranslation();
  const { models, route, settings } = useShell();
  const config = useStore(models);
  const language = languageOf(useStore(settings).language);
  if (config === null || config.ready) return null;
  const browserLanguage = languageOf(...navigator.languages);
  const switchLanguage = () =>
    void settings.change({ language: browserLanguage }).catch(() => undefined);
  return (
    <section aria-label={t('home.begin')}>
      <div className="home-begin-head">
        <h2>{t('home.begin')}</h2>
        {browserLanguage !== language && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconLanguage size={14} aria-hidden />}
            onClick={switchLanguage}
          >
            {t('command.language', { name: languageName(browserLanguage) })}
          </Button>
        )}
      </div>
      <ul className="home-grid">
        <Step
          icon={IconSparkles}
          title={t('home.model')}
          text={t('home.modelText')}
          onClick={() => route.go({ area: 'settings', id: 'models' })}
        />
        <Step
          icon={IconBuildingStore}
          title={t('home.plugin')}
          text={t('home.pluginText')}
          onClick={() => route.go({ area: 'store', id: null })}
        />
        <Step
          icon={IconSitemap}
          title={t('home.flow')}
          text={t('home.flowText')}
          onClick={() => route.go({ area: 'flows', id: null })}
        />
      </ul>
    </section>
  );
}

interface StepProps {
  icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  title: string;
  text: string;
  onClick: () => void;
}

function Step({ icon: Icon, title, text, onClick }: StepProps) {
  return (
    <li>
      <button type="button" className="home-card home-step" onClick={onClick}>
        <span className="home-card-head">
          <Icon size={20} aria-hidden />
          <span className="home-card-name">{title}</span>
        </span>
        <span className="home-card-text">{text}</span>
      </button>
    </li>
  );
}
