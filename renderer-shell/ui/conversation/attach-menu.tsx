import { ActionIcon, Menu } from '@mantine/core';
import { IconFile, IconFolder, IconPlus, IconServer2 } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { maxResources, resourcesOf } from '../../state/chat/attachments.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { chooseFiles } from '../../state/choose-files.ts';
import { useStore } from '../../core/store.ts';
import { ResourceDialog } from './resource-dialog.tsx';
import type { Attaching } from './use-attaching.ts';

interface AttachMenuProps {
  conversation: Pick<Conversation, 'draft'>;
  attaching: Attaching;
  /** Called when the dialog has closed. */
  onChosen: () => void;
  /** True if resources of MCP servers cannot be attached. */
  filesOnly?: boolean;
}

export function AttachMenu({ conversation, attaching, onChosen, filesOnly }: AttachMenuProps) {
  const { t } = useTranslation();
  const { attachments } = useStore(conversation.draft);
  const [choosing, setChoosing] = useState(false);
  const choose = async (directory: boolean) => {
    const files = await chooseFiles({ multiple: true, directory });
    if (!files || files.length === 0) return;
    await (directory ? attaching.addFolder(files) : attaching.add(files));
  };
  return (
    <>
      <ResourceDialog
        opened={choosing}
        onClose={() => setChoosing(false)}
        onClosed={onChosen}
        onChoose={(resource) => attaching.addResource(resource)}
      />
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
          {!filesOnly && (
            <Menu.Item
              leftSection={<IconServer2 size={16} aria-hidden />}
              disabled={resourcesOf(attachments).length >= maxResources}
              onClick={() => setChoosing(true)}
            >
              {t('chat.resources.attach')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
