import { useTranslation } from '../../core/messages/use-translation.ts';
import { Markdown } from '../../ui/markdown/markdown.tsx';

interface RunAnswerProps {
  text: string;
  isOver: boolean;
}

/** Shows the model's answer to the goal while it is written. */
export function RunAnswer({ text, isOver }: RunAnswerProps) {
  const { t } = useTranslation();
  if (text === '') return null;
  return (
    <section className="run-answer" aria-label={t('agent.answer')} aria-busy={!isOver}>
      <h2 className="agent-heading">{t('agent.answer')}</h2>
      <Markdown text={text} growing={!isOver} />
    </section>
  );
}
