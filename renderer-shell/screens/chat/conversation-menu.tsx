import { Menu } from '@mantine/core';
import { IconDownload, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { fileNameOf, saveAs } from '../../state/plugin-files/save-target.ts';
import { useShell } from '../../state/shell.ts';
import { RemoveConversation } from './remove-conversation.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { MoreMenu } from '../../ui/frame/more-menu.tsx';

const ICON = { size: 16, 'aria-hidden': true } as const;
const extensions = { markdown: 'md', json: 'json' } as const;

interface ConversationMenuProps {
  id: string;
  title: string;
}

export function ConversationMenu({ id, title }: ConversationMenuProps) {
  const { t } = useTranslation();
  const { client } = useShell();
  const [dialog, setDialog] = useState<'rename' | 'remove' | null>(null);
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
      {dialog === 'remove' && <RemoveConversation id={id} title={title} onClose={close} />}
    </>
  );
}
