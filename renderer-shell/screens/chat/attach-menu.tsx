import { ActionIcon, Menu } from '@mantine/core';
import { IconFile, IconFolder, IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { chooseFiles } from '../../state/choose-files.ts';
import type { Attaching } from './use-attaching.ts';

export function AttachMenu({ attaching }: { attaching: Attaching }) {
  const { t } = useTranslation();
  const choose = async (directory: boolean) => {
    const files = await chooseFiles({ multiple: true, directory });
    if (!files || files.length === 0) return;
    await (directory ? attaching.addFolder(files) : attaching.add(files));
  };
  return (
    <Menu position="top-start">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          loading={attaching.busy}
          aria-label={t('chat.attach')}
        >
          <IconPlus size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconFile size={16} aria-hidden />}
          onClick={() => void choose(false)}
        >
          {t('chat.attachFiles')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconFolder size={16} aria-hidden />}
          onClick={() => void choose(true)}
        >
          {t('chat.attachFolder')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
