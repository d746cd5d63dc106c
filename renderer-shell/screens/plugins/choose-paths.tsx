import { Button, Group } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import type { Values } from '../../ui/forms/schema-form.tsx';
import { nativePicker } from '../../state/plugin-files/native-picker.ts';

interface ChoosePathsProps {
  userConfig: NonNullable<MarketplacePlugin['userConfig']>;
  values: Values;
  onChange: (values: Values) => void;
}

/** On the desktop, offers the native file chooser for each setting that is a file or folder. */
export function ChoosePaths({ userConfig, values, onChange }: ChoosePathsProps) {
  const { t } = useTranslation();
  const pick = nativePicker();
  const paths = Object.entries(userConfig).filter(
    ([, { type }]) => type === 'file' || type === 'directory',
  );
  if (!pick || paths.length === 0) return null;
  const choose = async (key: string, kind: 'file' | 'directory') => {
    const path = await pick({ kind, access: 'read' });
    if (path !== null) onChange({ ...values, [key]: path });
  };
  return (
    <Group gap="xs">
      {paths.map(([key, { title, type }]) => (
        <Button
          key={key}
          size="compact-sm"
          variant="default"
          onClick={() => void choose(key, type === 'file' ? 'file' : 'directory')}
        >
          {t('config.choose', { name: title })}
        </Button>
      ))}
    </Group>
  );
}
