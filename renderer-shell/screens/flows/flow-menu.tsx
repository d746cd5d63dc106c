import { Menu } from '@mantine/core';
import { IconCopy, IconDownload, IconHistory, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../service/contract/index.ts';
import { ErrorNote } from '../../ui/frame/error-note.tsx';
import { RemoveDialog } from '../../ui/frame/remove-dialog.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { fileNameOf, saveAs } from '../../state/plugin-files/save-place.ts';
import { useShell } from '../../state/shell.ts';
import { useFlow } from './flow-context.ts';
import { useNewFlow } from './use-new-flow.ts';
import { MoreMenu } from '../../ui/frame/more-menu.tsx';

const ICON = { size: 16, 'aria-hidden': true } as const;

export function FlowMenu() {
  const { t } = useTranslation();
  const { book, editor, state, open } = useFlow();
  const { id, name } = state.workflow;
  const { duplicate, action: copying } = useNewFlow(book);
  const [removing, setRemoving] = useState(false);
  const saving = useAction();
  const save = () =>
    void saving.run(() =>
      saveAs(`${fileNameOf(name, 'workflow')}.json`, async () => {
        await editor.save();
        return book.client.open(api.workflows.export, { params: { workflowId: id } });
      }),
    );
  const error = saving.error ?? copying.error;
  return (
    <>
      {error !== null && <ErrorNote error={error} />}
      <MoreMenu label={t('flows.more')}>
        <Menu.Item leftSection={<IconHistory {...ICON} />} onClick={() => open('history')}>
          {t('flows.panel.history')}
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy {...ICON} />} onClick={() => duplicate(id)}>
          {t('flows.duplicate')}
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload {...ICON} />} onClick={save}>
          {t('flows.export')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconTrash {...ICON} />}
          className="danger-item"
          onClick={() => setRemoving(true)}
        >
          {t('flows.remove')}
        </Menu.Item>
      </MoreMenu>
      {removing && <RemoveFlow onClose={() => setRemoving(false)} />}
    </>
  );
}

function RemoveFlow({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { book, state } = useFlow();
  const { route } = useShell();
  const { id, name, published } = state.workflow;
  return (
    <RemoveDialog
      title={t('flows.removeTitle')}
      text={t(published ? 'flows.removePublished' : 'flows.removeText', { name })}
      confirm={t('flows.removeConfirm')}
      remove={() => book.remove(id)}
      onRemoved={() => route.go({ area: 'flows', id: null })}
      onClose={onClose}
    />
  );
}
