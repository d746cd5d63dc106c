import { Table } from '@mantine/core';

/** Props of a table of facts. */
export interface FactTableProps {
  /** Label and value of each fact; empty values are skipped. */
  facts: readonly (readonly [label: string, value: string])[];
  /** Width of the label column in pixels. */
  labelWidth?: number;
}

/** Shows facts below each other. Values may be untrusted text. */
export function FactTable({ facts, labelWidth = 180 }: FactTableProps) {
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>
        {facts
          .filter(([, value]) => value !== '')
          .map(([label, value]) => (
            <Table.Tr key={label}>
              <Table.Th w={labelWidth}>{label}</Table.Th>
              <Table.Td className="fact untrusted">{value}</Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
