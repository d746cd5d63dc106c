import { ShowListButton } from '../../ui/frame/list-pane.tsx';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ModelSetupAlert } from '../../ui/conversation/model-setup-alert.tsx';
import { RunForm } from './run-form.tsx';

/** Shows the form for a new run: its goal and options. */
export function NewRunPage({ narrow }: { narrow: boolean }) {
  const { t } = useTranslation();
  return (
    <main className="content" aria-label={t('agent.new')}>
      <header className="toolbar">
        {narrow && <ShowListButton label={t('agent.showList')} />}
        <h1 title={t('agent.new')}>{t('agent.new')}</h1>
      </header>
      <div className="agent-scroll">
        <div className="agent-body agent-begin">
          <div>
            <h2>{t('agent.begin')}</h2>
            <p>{t('agent.beginText')}</p>
          </div>
          <ModelSetupAlert />
          <RunForm />
        </div>
      </div>
    </main>
  );
}
