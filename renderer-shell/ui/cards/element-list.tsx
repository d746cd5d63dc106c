import { useState } from 'react';
import { isObject } from '../../core/json.ts';
import { splitMessage } from '../../core/messages/host-message.ts';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { tallyOf } from '../../state/agent/elements.ts';
import type { StepExecution } from '../../../service/contract/index.ts';

/** Initially visible rows. */
const rowsAtFirst = 100;
const maxColumns = 8;
const maxCellLength = 500;

/** Shows the progress of a step with `forEach` in one line. */
export function ElementProgress({ elements }: { elements: readonly StepExecution[] }) {
  const { t } = useTranslation();
  return <>{t('tool.elements.progress', { ...tallyOf(elements) })}</>;
}

/** Shows the elements of a step: one line of progress that opens a table of results. */
export function ElementList({ elements }: { elements: readonly StepExecution[] }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <details className="elements" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {t('tool.elements.title')}{' '}
        <span className="quiet">
          <ElementProgress elements={elements} />
        </span>
      </summary>
      {open && <ElementTable elements={elements} />}
    </details>
  );
}

function ElementTable({ elements }: { elements: readonly StepExecution[] }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const columns = columnsOf(elements);
  const visible = all ? elements : elements.slice(0, rowsAtFirst);
  return (
    <>
      <div className="table-scroll" tabIndex={0} role="group" aria-label={t('tool.elements.title')}>
        <table className="element-table">
          <thead>
            <tr>
              <th scope="col">{t('tool.elements.number')}</th>
              <th scope="col">{t('tool.elements.state')}</th>
              {columns === null ? (
                <th scope="col">{t('tool.elements.result')}</th>
              ) : (
                columns.map((name) => (
                  <th key={name} scope="col" className="untrusted">
                    {name}
                  </th>
                ))
              )}
            </tr>
          </thead>
          <tbody>
            {visible.map((one) => (
              <ElementRow key={one.element} execution={one} columns={columns} />
            ))}
          </tbody>
        </table>
      </div>
      {visible.length < elements.length && (
        <button type="button" className="link" onClick={() => setAll(true)}>
          {t('tool.elements.showAll', { count: elements.length })}
        </button>
      )}
    </>
  );
}

interface ElementRowProps {
  execution: StepExecution;
  columns: readonly string[] | null;
}

function ElementRow({ execution, columns }: ElementRowProps) {
  const { t } = useTranslation();
  const { element = 0, status, result, error, errorMessage } = execution;
  const width = columns?.length ?? 1;
  return (
    <tr data-status={status}>
      <th scope="row">{element + 1}</th>
      <td>{t(`tool.elements.status.${status}`)}</td>
      {error !== undefined ? (
        <td className="untrusted" colSpan={width}>
          {splitMessage(errorMessage, error).text}
        </td>
      ) : columns === null ? (
        <td className="untrusted">{cellText(result)}</td>
      ) : (
        columns.map((name) => (
          <td key={name} className="untrusted">
            {cellText(isObject(result) ? result[name] : undefined)}
          </td>
        ))
      )}
    </tr>
  );
}

/** Returns the fields of the results; null if they are not objects or have too many fields. */
function columnsOf(elements: readonly StepExecution[]): string[] | null {
  const results = elements.flatMap(({ result }) => (result === undefined ? [] : [result]));
  if (results.length === 0 || !results.every((result) => isObject(result))) return null;
  const names = new Set(results.flatMap((result) => Object.keys(result)));
  return names.size > 0 && names.size <= maxColumns ? [...names] : columnsThatDiffer(results);
}

/** Returns the fields whose values differ between results, at most `maxColumns`. */
function columnsThatDiffer(results: readonly Record<string, unknown>[]): string[] | null {
  const [first = {}] = results;
  const differs = (name: string): boolean =>
    results.some((result) => JSON.stringify(result[name]) !== JSON.stringify(first[name]));
  const names = Object.keys(first);
  const differing = names.filter(differs);
  const columns = (differing.length > 0 ? differing : names).slice(0, maxColumns);
  return columns.length > 0 ? columns : null;
}

function cellText(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= maxCellLength ? text : `${text.slice(0, maxCellLength)}…`;
}
