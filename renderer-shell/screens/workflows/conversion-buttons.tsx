import { Button, Group } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { conversionsFor, withConversion } from '../../state/workflows/conversions.ts';
import type { Wire } from '../../state/workflows/graph-edits.ts';
import { useWorkflow } from './workflow-context.ts';

interface ConversionButtonsProps {
  wire: Wire;
  /** Called after the connection was made with its conversion. */
  onConverted?: () => void;
}

/** Offers the conversions for a connection whose value does not fit. */
export function ConversionButtons({ wire, onConverted }: ConversionButtonsProps) {
  const { t } = useTranslation();
  const { editor, content, kinds } = useWorkflow();
  const conversions = conversionsFor(content.graph, kinds, wire);
  if (conversions.length === 0) return null;
  return (
    <Group gap="xs" mt={4}>
      {conversions.map((conversion) => (
        <Button
          key={conversion.how === 'field' ? `field ${conversion.output}` : conversion.how}
          size="compact-xs"
          variant="light"
          onClick={() => {
            editor.changeGraph((graph) => withConversion(graph, kinds, { wire, conversion }));
            onConverted?.();
          }}
        >
          {conversion.how === 'field'
            ? t('flows.convert.field', { name: conversion.label })
            : t(`flows.convert.${conversion.how}`)}
        </Button>
      ))}
    </Group>
  );
}
