import { useTranslation } from '../../core/messages/use-translation.ts';
import type { UsageReport } from '../../../service/contract/index.ts';
import { costText } from '../../core/messages/cost-text.ts';

const maxMonths = 12;

/** Shows the tokens of the last months as bars, input below output. */
export function UsageChart({ months }: { months: UsageReport['months'] }) {
  const { t, language } = useTranslation();
  const visible = months.slice(-maxMonths);
  const most = Math.max(1, ...visible.map((one) => one.inputTokens + one.outputTokens));
  const share = (tokens: number) => `${(tokens / most) * 100}%`;
  return (
    <figure className="usage-chart" aria-label={t('usage.chart')}>
      <ul>
        {visible.map(({ month, inputTokens, outputTokens, cost }) => {
          const tokens = (inputTokens + outputTokens).toLocaleString(language);
          const text = t('usage.tokens', { tokens });
          return (
            <li key={month} title={cost ? `${text} · ${costText(cost, language)}` : text}>
              <span className="usage-bar" aria-hidden>
                <span data-part="output" style={{ height: share(outputTokens) }} />
                <span data-part="input" style={{ height: share(inputTokens) }} />
              </span>
              <span className="usage-month">{month}</span>
              <span className="usage-value">{cost ? costText(cost, language) : tokens}</span>
            </li>
          );
        })}
      </ul>
    </figure>
  );
}
