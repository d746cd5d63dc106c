import { Button, Skeleton } from '@mantine/core';
import { useCallback } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { UsageReport } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useLoaded } from '../../ui/frame/use-loaded.ts';
import { saveAs } from '../../state/plugin-files/save-target.ts';
import { useShell } from '../../state/shell.ts';
import { PriceTable } from './price-table.tsx';
import { UsageChart } from './usage-chart.tsx';
import { costText } from '../../core/messages/cost-text.ts';

/** Shows tokens and cost by month, model and conversation, and the user's prices. */
export function UsageSettings() {
  const { t } = useTranslation();
  const { client } = useShell();
  const load = useCallback(async () => {
    const [report, prices] = await Promise.all([
      client.call(api.usage.report, { query: {} }),
      client.call(api.usage.prices),
    ]);
    return { report, prices };
  }, [client]);
  const { state, reload, refresh } = useLoaded(load);
  const saving = useAction();
  const save = () =>
    void saving.run(() =>
      saveAs(`${t('sections.usage')}.csv`, () => client.open(api.usage.export, { query: {} })),
    );
  return (
    <section aria-label={t('sections.usage')}>
      <div className="settings-line">
        <h2>{t('sections.usage')}</h2>
        <Button size="compact-xs" variant="default" loading={saving.busy} onClick={save}>
          {t('usage.export')}
        </Button>
      </div>
      {saving.error !== null && <ErrorAlert error={saving.error} />}
      {state.kind === 'loading' && <Skeleton className="late" height={160} />}
      {state.kind === 'failed' && <ErrorAlert error={state.error} onRetry={refresh} />}
      {state.kind === 'ready' && (
        <>
          <Report report={state.value.report} />
          <PriceTable
            prices={state.value.prices}
            models={modelsOf(state.value.report)}
            onSaved={reload}
          />
        </>
      )}
    </section>
  );
}

const modelsOf = ({ months }: UsageReport): string[] => [
  ...new Set(months.flatMap(({ models }) => models.map(({ model }) => model))),
];

function Report({ report }: { report: UsageReport }) {
  const { t, language } = useTranslation();
  const { months, conversations } = report;
  const month = months.at(-1);
  if (month === undefined) return <p className="plain setting-text">{t('usage.none')}</p>;
  return (
    <>
      <UsageChart months={months} />
      <SumTable
        caption={t('usage.byModel', { month: monthName(month.month, language) })}
        rows={month.models.map((one) => ({ ...one, key: one.model, name: one.model }))}
      />
      <SumTable
        caption={t('usage.byConversation')}
        rows={conversations.slice(0, 20).map((one) => ({
          ...one,
          key: one.id,
          name: one.title ?? t(one.id === '' ? 'usage.noConversation' : 'usage.removed'),
        }))}
      />
    </>
  );
}

const monthName = (month: string, language: string): string =>
  new Date(`${month}-01T12:00:00`).toLocaleDateString(language, { year: 'numeric', month: 'long' });

type SumRow = UsageReport['total'] & { key: string; name: string };

function SumTable({ caption, rows }: { caption: string; rows: readonly SumRow[] }) {
  const { t, language } = useTranslation();
  const number = (value: number) => value.toLocaleString(language);
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={caption}>
      <table className="usage-table">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{t('usage.name')}</th>
            <th scope="col">{t('usage.input')}</th>
            <th scope="col">{t('usage.cached')}</th>
            <th scope="col">{t('usage.output')}</th>
            <th scope="col">{t('usage.reasoning')}</th>
            <th scope="col">{t('usage.cost')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, cost, ...sum }) => (
            <tr key={key}>
              <th scope="row" className="untrusted">
                {name}
              </th>
              <td>{number(sum.inputTokens)}</td>
              <td>{number(sum.cachedTokens)}</td>
              <td>{number(sum.outputTokens)}</td>
              <td>{number(sum.reasoningTokens)}</td>
              <td>{cost ? costText(cost, language) : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
