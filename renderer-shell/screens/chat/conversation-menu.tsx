import { Menu } from '@mantine/core';
import {
  IconAdjustments,
  IconArchive,
  IconDownload,
  IconFolder,
  IconPencil,
  IconPin,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { fileNameOf, saveAs } from '../../state/plugin-files/save-target.ts';
import { useShell } from '../../state/shell.ts';
import { usePart, useStore } from '../../core/store.ts';
import type { Conversation } from '../../state/chat/conversation.ts';
import { ConversationSettingsDialog } from './conversation-settings-dialog.tsx';
import { FolderDialog } from './folder-dialog.tsx';
import { RemoveConversation } from './remove-conversation.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { MoreMenu } from '../../ui/frame/more-menu.tsx';

const ICON = { size: 16, 'aria-hidden': true } as const;
const extensions = { markdown: 'md', json: 'json' } as const;

interface ConversationMenuProps {
  conversation: Conversation;
  title: string;
}

type Dialog = 'rename' | 'remove' | 'folder' | 'settings';

export function ConversationMenu({ conversation, title }: ConversationMenuProps) {
  const id = usePart(conversation.state, (state) => state.id);
  return id === null ? (
    <StartingMenu conversation={conversation} />
  ) : (
    <StoredMenu conversation={conversation} id={id} title={title} />
  );
}

/** Before the first message only the settings of the turns are available. */
function StartingMenu({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <MoreMenu label={t('chat.more')}>
        <Menu.Item leftSection={<IconAdjustments {...ICON} />} onClick={() => setOpen(true)}>
          {t('chat.settingsTitle')}
        </Menu.Item>
      </MoreMenu>
      {isOpen && (
        <ConversationSettingsDialog conversation={conversation} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

function StoredMenu({ conversation, id, title }: ConversationMenuProps & { id: string }) {
  const { t } = useTranslation();
  const { client } = useShell();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const { pinned, archived } = useStore(conversation.details);
  const action = useAction();
  const save = (format: keyof typeof extensions) =>
    void action.run(() =>
      saveAs(`${fileNameOf(title, 'conversation')}.${extensions[format]}`, () =>
        client.open(api.conversations.export, { params: { id }, query: { format } }),
      ),
    );
  const close = () => setDialog(null);
  return (
    <>
      {action.error !== null && <ErrorAlert error={action.error} />}
      <MoreMenu label={t('chat.more')}>
        <Menu.Item leftSection={<IconPencil {...ICON} />} onClick={() => setDialog('rename')}>
          {t('chat.rename')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconPin {...ICON} />}
          onClick={() => void action.run(() => conversation.configure({ pinned: !pinned }))}
        >
          {t(pinned ? 'chat.unpin' : 'chat.pin')}
        </Menu.Item>
        <Menu.Item leftSection={<IconFolder {...ICON} />} onClick={() => setDialog('folder')}>
          {t('chat.folder')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArchive {...ICON} />}
          onClick={() => void action.run(() => conversation.configure({ archived: !archived }))}
        >
          {t(archived ? 'chat.unarchive' : 'chat.archive')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconAdjustments {...ICON} />}
          onClick={() => setDialog('settings')}
        >
          {t('chat.settingsTitle')}
        </Menu.Item>
        {(['markdown', 'json'] as const).map((format) => (
          <Menu.Item
            key={format}
            leftSection={<IconDownload {...ICON} />}
            onClick={() => save(format)}
          >
            {t(`chat.export.${format}`)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconTrash {...ICON} />}
          className="danger-item"
          onClick={() => setDialog('remove')}
        >
          {t('chat.remove')}
        </Menu.Item>
      </MoreMenu>
      {dialog === 'rename' && <RenameDialog id={id} title={title} onClose={close} />}
      {dialog === 'folder' && <FolderDialog conversation={conversation} onClose={close} />}
      {dialog === 'settings' && (
        <ConversationSettingsDialog conversation={conversation} onClose={close} />
      )}
      {dialog === 'remove' && <RemoveConversation id={id} title={title} onClose={close} />}
    </>
  );
}
