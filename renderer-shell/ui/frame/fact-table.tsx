import { Table } from '@mantine/core';

/** Properties of a table of labels and values. */
export interface FactTableProps {
  /** Label and value of each fact; empty values are left out. */
  facts: readonly (readonly [label: string, value: string])[];
  /** Width of the label column in pixels. */
  labelWidth?: number;
}

/** Facts one below the other. What they say may come from others. */
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
