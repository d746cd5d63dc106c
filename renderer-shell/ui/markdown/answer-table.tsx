import { CopyButton } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useCallback, useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { csvOf } from '../../state/chat/csv.ts';
import { saveText } from '../../state/plugin-files/save-text.ts';
import { IconAction } from '../frame/icon-action.tsx';

/** Shows a table of an answer, with a button that exports it as CSV. */
export function AnswerTable({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [csv, setCsv] = useState('');
  // Read when the pointer or focus enters, since cells change while an answer is written.
  const read = useCallback((table: HTMLTableElement | null) => setCsv(csvOf(cellsOf(table))), []);
  const [table, setTable] = useState<HTMLTableElement | null>(null);
  return (
    <div className="table-frame" onPointerEnter={() => read(table)} onFocus={() => read(table)}>
      <div className="table-scroll" tabIndex={0} role="group" aria-label={t('answer.table')}>
        <table ref={setTable}>{children}</table>
      </div>
      <div className="table-actions">
        <CopyButton value={csv}>
          {({ copied, copy }) => (
            <IconAction
              icon={copied ? IconCheck : IconCopy}
              label={t(copied ? 'action.copied' : 'answer.copyCsv')}
              onClick={copy}
            />
          )}
        </CopyButton>
        <IconAction
          icon={IconDownload}
          label={t('answer.saveCsv')}
          onClick={() => void saveText('table.csv', csvOf(cellsOf(table)))}
        />
      </div>
    </div>
  );
}

const cellsOf = (table: HTMLTableElement | null): string[][] =>
  [...(table?.rows ?? [])].map((row) => [...row.cells].map((cell) => textOfCell(cell)));

/** A formula is in a cell twice: rendered, and as MathML with its source. */
function textOfCell(cell: HTMLTableCellElement): string {
  const copy = cell.cloneNode(true) as HTMLTableCellElement;
  for (const formula of copy.querySelectorAll('.formula'))
    formula.replaceWith(formula.querySelector('annotation')?.textContent ?? formula.textContent);
  return copy.textContent.trim();
}
