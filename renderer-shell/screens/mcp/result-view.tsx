import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Received, api } from '../../../service/contract/index.ts';
import { Alert } from '../../ui/frame/alert.tsx';
import { ContentPart } from './content-part.tsx';
import { ToolText } from '../../ui/cards/tool-card.tsx';

interface ResultViewProps {
  answer: Received<typeof api.mcp.call>;
  ms: number;
}

/** Shows the result of a tool, and whether it is an error. */
export function ResultView({ answer, ms }: ResultViewProps) {
  const { t } = useTranslation();
  const { content, structuredContent, isError = false } = answer;
  return (
    <section className="mcp-result" aria-label={t('mcpTry.result')}>
      <Alert
        tone={isError ? 'bad' : 'good'}
        role="status"
        title={t(isError ? 'mcpTry.failed' : 'mcpTry.done', { ms })}
      />
      {content.length === 0 && structuredContent === undefined && (
        <p className="plain quiet">{t('mcpTry.nothing')}</p>
      )}
      {content.map((part, index) => (
        <ContentPart key={index} part={part} />
      ))}
      {structuredContent !== undefined && (
        <ToolText
          label={t('mcpTry.structured')}
          text={JSON.stringify(structuredContent, null, 2)}
        />
      )}
    </section>
  );
}
