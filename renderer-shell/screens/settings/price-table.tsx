import { Button, Group, NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { ModelPrice, Prices } from '../../../service/contract/index.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { useShell } from '../../state/shell.ts';

interface PriceTableProps {
  prices: Prices;
  /** Names of models with recorded usage. */
  models: readonly string[];
  onSaved: () => Promise<void>;
}

type Row = { name: string } & Record<keyof ModelPrice, string | number>;

const maxPrice = 1_000_000;

/** Edits the user's prices per million tokens. A model without prices has no cost. */
export function PriceTable({ prices, models, onSaved }: PriceTableProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const [currency, setCurrency] = useState(prices.currency);
  const [rows, setRows] = useState<readonly Row[]>(() => rowsOf(prices, models));
  const [added, setAdded] = useState('');
  const [saved, setSaved] = useState(false);
  const action = useAction();
  const change = (index: number, patch: Partial<Row>) => {
    setSaved(false);
    setRows(rows.map((row, at) => (at === index ? { ...row, ...patch } : row)));
  };
  const save = async () => {
    const body = { currency, models: Object.fromEntries(rows.flatMap(priceOf)) };
    const isSaved = await action.run(async () => {
      await client.call(api.usage.setPrices, { body });
      await onSaved();
    });
    setSaved(isSaved);
  };
  const add = () => {
    const name = added.trim();
    if (name === '' || rows.some((row) => row.name === name)) return;
    setRows([...rows, { name, input: '', output: '', cachedInput: '' }]);
    setAdded('');
  };
  return (
    <form
      className="price-table"
      aria-label={t('usage.prices')}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h3>{t('usage.prices')}</h3>
      <p className="plain setting-text">{t('usage.pricesText')}</p>
      <TextInput
        size="xs"
        w={120}
        label={t('usage.currency')}
        maxLength={10}
        value={currency}
        onChange={(event) => setCurrency(event.currentTarget.value)}
      />
      {rows.map((row, index) => (
        <PriceRow key={row.name} row={row} onChange={(patch) => change(index, patch)} />
      ))}
      <Group gap="xs" align="end">
        <TextInput
          size="xs"
          label={t('usage.model')}
          value={added}
          onChange={(event) => setAdded(event.currentTarget.value)}
        />
        <Button size="xs" variant="default" onClick={add}>
          {t('usage.add')}
        </Button>
      </Group>
      {action.error !== null && <ErrorAlert error={action.error} />}
      <Group gap="xs">
        <Button size="xs" type="submit" loading={action.busy}>
          {t('model.save')}
        </Button>
        {saved && (
          <p className="plain quiet" role="status">
            {t('usage.saved')}
          </p>
        )}
      </Group>
    </form>
  );
}

function PriceRow({ row, onChange }: { row: Row; onChange: (patch: Partial<Row>) => void }) {
  const { t } = useTranslation();
  const fields = ['input', 'cachedInput', 'output'] as const;
  return (
    <fieldset className="price-row">
      <legend className="untrusted">{row.name}</legend>
      <Group gap="xs">
        {fields.map((field) => (
          <NumberInput
            key={field}
            size="xs"
            w={110}
            label={t(`usage.price.${field}`)}
            aria-label={t('usage.priceOf', { model: row.name, part: t(`usage.price.${field}`) })}
            min={0}
            max={maxPrice}
            value={row[field]}
            onChange={(value) => onChange({ [field]: value })}
          />
        ))}
      </Group>
    </fieldset>
  );
}

function rowsOf({ models: priced }: Prices, used: readonly string[]): Row[] {
  const names = [...new Set([...Object.keys(priced), ...used])].toSorted();
  return names.map((name) => {
    const { input = '', output = '', cachedInput = '' } = priced[name] ?? {};
    return { name, input, output, cachedInput };
  });
}

/** Returns an empty list for a row without prices. */
function priceOf({ name, input, output, cachedInput }: Row): [string, ModelPrice][] {
  if (input === '' && output === '') return [];
  const cached = cachedInput === '' ? {} : { cachedInput: Number(cachedInput) };
  return [[name, { input: Number(input), output: Number(output), ...cached }]];
}
