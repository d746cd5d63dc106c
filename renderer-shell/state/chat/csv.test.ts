import { expect, it } from 'vitest';
import { csvOf } from './csv.ts';

it('cells become comma-separated values that a spreadsheet does not evaluate', () => {
  const rows = [
    ['Name', 'Sum'],
    ['A "b", c', '-12.5'],
    ['=HYPERLINK("x")', '+5 %'],
  ];
  expect(csvOf(rows)).toBe('Name,Sum\r\n"A ""b"", c",-12.5\r\n"\'=HYPERLINK(""x"")",+5 %\r\n');
});
