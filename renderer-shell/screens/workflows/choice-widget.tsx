import { MultiSelect, Select } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { NodeOption } from '../../../service/contract/index.ts';
import { stepData } from '../../state/workflows/graph.ts';
import { valueText } from '../../state/workflows/value-text.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useNodeOptions } from './use-node-options.ts';
import type { WidgetProps } from './widget-props.ts';

/** Selects one or several options, from the form itself or from its plugin. */
export function ChoiceWidget({ node, kind, input, value, onChange }: WidgetProps) {
  const { t } = useTranslation();
  const { inputs } = stepData(node);
  const { options, busy, error, needs, retry } = useNodeOptions(kind, input, inputs);
  const current = value === undefined ? input.default : value;
  const isMany = input.source?.multiple === true;
  const chosen = isMany ? (Array.isArray(current) ? (current as unknown[]) : []) : [current];
  const allOptions = withChosen(options, chosen);
  const about = {
    ...({ size: 'xs', label: input.label, searchable: true } as const),
    withAsterisk: input.required === true,
    description:
      needs.length === 0
        ? undefined
        : t(`flows.needs.${needs[0]?.why ?? 'empty'}`, {
            names: needs.map(({ label }) => label).join(', '),
          }),
    data: allOptions.map((option) => ({ value: String(option.value), label: labelOf(option) })),
    nothingFoundMessage: t(busy ? 'flows.readingChoices' : 'flows.noChoices'),
  };
  const valueOf = (text: string) =>
    allOptions.find((option) => String(option.value) === text)?.value;
  return (
    <>
      {isMany ? (
        <MultiSelect
          {...about}
          value={chosen.map(String)}
          onChange={(next) => onChange(next.length === 0 ? undefined : next.map(valueOf))}
        />
      ) : (
        <Select
          {...about}
          clearable={input.required !== true}
          value={current === undefined ? null : valueText(current)}
          onChange={(next) => onChange(next === null ? undefined : valueOf(next))}
        />
      )}
      {error !== null && <ErrorAlert error={error} onRetry={retry} />}
    </>
  );
}

const labelOf = ({ label, secondary }: NodeOption): string =>
  secondary === undefined ? label : `${label} · ${secondary}`;

/** Adds chosen values that are no longer listed, without duplicates. */
function withChosen(options: readonly NodeOption[], chosen: readonly unknown[]): NodeOption[] {
  const missing = chosen.flatMap((value): NodeOption[] =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [{ value, label: String(value) }]
      : [],
  );
  const byValue = new Map<string, NodeOption>();
  for (const option of [...options, ...missing]) {
    const key = String(option.value);
    if (!byValue.has(key)) byValue.set(key, option);
  }
  return [...byValue.values()];
}
