import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { isRecord } from '../../flows/graph.ts';

interface RowsFieldProps {
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

type Row = Record<string, unknown>;

/** A list of objects with the same few texts in them. */
export function RowsField({ label, value, onChange }: RowsFieldProps) {
  const { t } = useTranslation();
  const rows = Array.isArray(value) ? value.filter(isRecord) : [];
  const columns = columnsOf(rows);
  const set = (next: readonly Row[]) => onChange(next.length === 0 ? undefined : next);
  const change = (at: number, column: string, text: string) =>
    set(rows.map((row, index) => (index === at ? { ...row, [column]: text } : row)));
  return (
    <div role="group" aria-label={label}>
      <p className="flow-label untrusted">{label}</p>
      {rows.map((row, at) => (
        <div key={at} className="flow-rows-line">
          {columns.map((column) => (
            <TextInput
              key={column}
              size="xs"
              placeholder={column}
              aria-label={t('flows.cell', { column, number: at + 1 })}
              value={textOf(row[column])}
              onChange={(event) => change(at, column, event.currentTarget.value)}
            />
          ))}
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={t('flows.removeRow', { number: at + 1 })}
            onClick={() => set(rows.filter((_, index) => index !== at))}
          >
            <IconX size={14} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => set([...rows, Object.fromEntries(columns.map((column) => [column, '']))])}
      >
        {t('flows.addRow')}
      </Button>
    </div>
  );
}

/** Those that are there, else what most lists of pairs have. */
function columnsOf(rows: readonly Row[]): string[] {
  const found = new Set(rows.flatMap((row) => Object.keys(row)));
  return found.size > 0 ? [...found].slice(0, 6) : ['name', 'value'];
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
