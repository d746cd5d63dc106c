import { useTranslation } from '../../core/messages/use-translation.ts';
import { CodeEditor } from '../../ui/editor/code-editor.tsx';
import { commandOutputOf } from '../../ui/frame/command-output.ts';
import { ToolOutput, ToolText } from '../../ui/cards/tool-card.tsx';

/**
 * Limit in characters; longer results are shown without syntax highlighting, and in full on
 * request.
 */
const maxHighlighted = 200_000;

/** Shows the result of a tool: the output of a command, highlighted JSON, or text. */
export function StepResult({ result }: { result: unknown }) {
  const { t } = useTranslation();
  if (typeof result === 'string') return <ToolText label={t('tool.output')} text={result} />;
  const text = JSON.stringify(result, null, 2);
  if (commandOutputOf(text)) return <ToolOutput output={text} />;
  if (text.length > maxHighlighted) return <ToolText label={t('tool.output')} text={text} />;
  return (
    <section className="tool-text">
      <h3>{t('tool.output')}</h3>
      <CodeEditor
        label={t('tool.output')}
        value={text}
        lines={Math.min(4, text.split('\n').length)}
      />
    </section>
  );
}
