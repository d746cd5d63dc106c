import { Button } from '@mantine/core';
import { IconReportSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { api } from '../../../service/contract/index.ts';
import { datasetsIn } from '../../state/workflows/datasets.ts';
import { stepData } from '../../state/workflows/graph.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { valueText } from '../../state/workflows/value-text.ts';
import type { Action } from '../../ui/frame/use-action.ts';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';
import { JsonField } from './json-field.tsx';
import type { WidgetProps } from './widget-props.ts';

const limitMs = 15_000;
const maxEntries = 8;

interface Analysis {
  action: Action;
  /** Label of the input that it analyzes. */
  from: string;
  /** The reason why it is not available now; null if it is. */
  hint: 'analyzeEmpty' | 'analyzeLater' | null;
  /** True if the result belongs to an earlier value. */
  isOld: boolean;
  run: () => void;
}

function useAnalysis({ node, kind, input, onChange }: WidgetProps): Analysis {
  const { client } = useShell();
  const action = useAction();
  const [analyzed, setAnalyzed] = useState<string | null>(null);
  const { inputs } = stepData(node);
  const source = kind.inputs.find(({ name }) => name === input.context?.from);
  const inputValue = inputs[source?.name ?? ''] ?? source?.default;
  const text = valueText(inputValue);
  const isLater = /\{\{|^@file:/.test(text);
  const run = () =>
    void action.run(async () => {
      const found = await client.call(api.workflows.nodeContext, {
        params: { type: kind.type },
        body: { input: input.name, values: inputs },
        signal: AbortSignal.timeout(limitMs),
      });
      setAnalyzed(text);
      onChange(found.value);
    });
  return {
    action,
    run,
    from: source?.label ?? '',
    hint: text === '' ? 'analyzeEmpty' : isLater ? 'analyzeLater' : null,
    isOld: analyzed !== null && analyzed !== text,
  };
}

/** Shows what a plugin finds in the value of another input, such as the columns of a file. */
export function AnalyzeField(props: WidgetProps) {
  const { t } = useTranslation();
  const { input, value, onChange } = props;
  const { label, required } = input;
  const [asJson, setAsJson] = useState(false);
  const { action, from, hint, isOld, run } = useAnalysis(props);
  const messageKey = hint ?? (isOld ? 'analyzeOld' : null);
  return (
    <div className="flow-analyze" role="group" aria-label={label}>
      <p className="flow-label untrusted">
        {label}
        {required === true && ' *'}
      </p>
      {messageKey !== null && (
        <p className="quiet plain untrusted">{t(`flows.${messageKey}`, { from })}</p>
      )}
      <AnalysisResult value={value} />
      {action.error !== null && <ErrorAlert error={action.error} onRetry={run} />}
      <div className="flow-analyze-ways">
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconReportSearch size={14} aria-hidden />}
          loading={action.busy}
          disabled={hint !== null}
          onClick={run}
        >
          {t(value === undefined ? 'flows.analyze' : 'flows.analyzeAgain')}
        </Button>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setAsJson(!asJson)}>
          {t(asJson ? 'flows.hideJson' : 'flows.showJson')}
        </Button>
        {value !== undefined && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            onClick={() => onChange(undefined)}
          >
            {t('flows.clear')}
          </Button>
        )}
      </div>
      {asJson && <JsonField label={label} value={value} onChange={onChange} lines={6} />}
    </div>
  );
}

/** Shows the datasets of a result, each with its first entries. */
function AnalysisResult({ value }: { value: unknown }) {
  const { t } = useTranslation();
  const datasets = datasetsIn(value);
  if (datasets.length === 0) return null;
  return (
    <dl className="flow-datasets untrusted">
      {datasets.map(({ path, entries, count }) => (
        <div key={path}>
          <dt>
            {path === '' ? t('flows.entries', { count }) : path}
            {path !== '' && count !== null && ` (${count})`}
          </dt>
          <dd>
            {entries.slice(0, maxEntries).join(', ')}
            {entries.length > maxEntries && ' …'}
          </dd>
        </div>
      ))}
    </dl>
  );
}
