import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconColumnInsertRight, IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { isObject } from '../../core/json.ts';
import { valueText } from '../../state/workflows/value-text.ts';
import { JsonField } from './json-field.tsx';

interface RowsFieldProps {
  label: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

type Row = Record<string, unknown>;
const maxColumns = 6;

/** Edits a list of objects with text fields as a table; other values are edited as JSON. */
export function RowsField({ label, value, onChange }: RowsFieldProps) {
  const { t } = useTranslation();
  const [asJson, setAsJson] = useState(false);
  const rows = Array.isArray(value) ? value.filter(isObject) : [];
  const columns = columnsOf(rows);
  const set = (next: readonly Row[]) => onChange(next.length === 0 ? undefined : next);
  const addRow = () => set([...rows, Object.fromEntries(columns.map((column) => [column, '']))]);
  const addColumn = (name: string) =>
    set(rows.length === 0 ? [{ [name]: '' }] : rows.map((row) => ({ ...row, [name]: '' })));
  return (
    <div role="group" aria-label={label}>
      <p className="flow-label untrusted">{label}</p>
      {asJson ? (
        <JsonField label={label} value={value} onChange={onChange} lines={6} />
      ) : (
        <RowLines rows={rows} columns={columns} onChange={set} />
      )}
      <div className="flow-analyze-ways">
        {!asJson && (
          <>
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={addRow}
            >
              {t('flows.addRow')}
            </Button>
            {columns.length < maxColumns && <NewColumn columns={columns} onAdd={addColumn} />}
          </>
        )}
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setAsJson(!asJson)}>
          {t(asJson ? 'flows.hideJson' : 'flows.showJson')}
        </Button>
      </div>
    </div>
  );
}

interface RowLinesProps {
  rows: readonly Row[];
  columns: readonly string[];
  onChange: (rows: readonly Row[]) => void;
}

function RowLines({ rows, columns, onChange }: RowLinesProps) {
  const { t } = useTranslation();
  const change = (at: number, column: string, text: string) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, [column]: text } : row)));
  return rows.map((row, at) => (
    <div key={at} className="flow-rows-line">
      {columns.map((column) => (
        <TextInput
          key={column}
          size="xs"
          placeholder={column}
          aria-label={t('flows.cell', { column, number: at + 1 })}
          value={valueText(row[column])}
          onChange={(event) => change(at, column, event.currentTarget.value)}
        />
      ))}
      <ActionIcon
        size="sm"
        variant="subtle"
        color="gray"
        aria-label={t('flows.removeRow', { number: at + 1 })}
        onClick={() => onChange(rows.filter((_, index) => index !== at))}
      >
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </div>
  ));
}

interface NewColumnProps {
  columns: readonly string[];
  onAdd: (name: string) => void;
}

/** Adds a column after asking for its name. */
function NewColumn({ columns, onAdd }: NewColumnProps) {
  const { t } = useTranslation();
  const [name, setName] = useState<string | null>(null);
  if (name === null)
    return (
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        leftSection={<IconColumnInsertRight size={14} aria-hidden />}
        onClick={() => setName('')}
      >
        {t('flows.addColumn')}
      </Button>
    );
  const add = () => {
    const fresh = name.trim();
    if (fresh !== '' && !columns.includes(fresh)) onAdd(fresh);
    setName(null);
  };
  return (
    <TextInput
      size="xs"
      autoFocus
      maxLength={100}
      aria-label={t('flows.columnName')}
      placeholder={t('flows.columnName')}
      value={name}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={add}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') add();
        else if (event.key === 'Escape') setName(null);
      }}
    />
  );
}

/** Returns the existing columns, or the usual ones of name and value pairs. */
function columnsOf(rows: readonly Row[]): string[] {
  const found = new Set(rows.flatMap((row) => Object.keys(row)));
  return found.size > 0 ? [...found].slice(0, maxColumns) : ['name', 'value'];
}
