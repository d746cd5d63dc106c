import { Radio, Stack, Text } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { DatabaseForm, DatabaseType } from '../../../service/contract/index.ts';

interface DatabaseTypesProps {
  forms: DatabaseForm[];
  value: string;
  disabled: boolean;
  onChoose: (type: DatabaseType) => void;
}

/** Lists the database types; an unavailable one shows the reason. */
export function DatabaseTypes({ forms, value, disabled, onChoose }: DatabaseTypesProps) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t('setup.type')}
      value={value}
      onChange={(next) => onChoose(next as DatabaseType)}
    >
      <Stack gap={6} mt={6}>
        {forms.map((form) => (
          <Radio.Card
            key={form.type}
            className="choice"
            value={form.type}
            disabled={disabled || form.unavailable !== undefined}
            aria-label={form.label}
          >
            <Radio.Indicator disabled={form.unavailable !== undefined} />
            <span>
              <Text size="sm" fw={500}>
                {form.label}
              </Text>
              <Text size="xs" c="dimmed" className="untrusted">
                {form.unavailable ?? t(form.embedded ? 'setup.embedded' : 'setup.server')}
              </Text>
            </span>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  );
}
