import { Menu } from '@mantine/core';
import {
  IconCalendarClock,
  IconCopy,
  IconDownload,
  IconHistory,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { api } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { RemoveDialog } from '../../ui/frame/remove-dialog.tsx';
import { useAction } from '../../ui/frame/use-action.ts';
import { fileNameOf, saveAs } from '../../state/plugin-files/save-target.ts';
import { useShell } from '../../state/shell.ts';
import { useWorkflow } from './workflow-context.ts';
import { useNewWorkflow } from './use-new-workflow.ts';
import { MoreMenu } from '../../ui/frame/more-menu.tsx';

const ICON = { size: 16, 'aria-hidden': true } as const;

export function WorkflowMenu() {
  const { t } = useTranslation();
  const { workflows, editor, state, open } = useWorkflow();
  const { id, name } = state.workflow;
  const { duplicate, action: copying } = useNewWorkflow(workflows);
  const [removing, setRemoving] = useState(false);
  const saving = useAction();
  const save = () =>
    void saving.run(() =>
      saveAs(`${fileNameOf(name, 'workflow')}.json`, async () => {
        await editor.save();
        return workflows.client.open(api.workflows.export, { params: { workflowId: id } });
      }),
    );
  const error = saving.error ?? copying.error;
  return (
    <>
      {error !== null && <ErrorAlert error={error} />}
      <MoreMenu label={t('flows.more')}>
        <Menu.Item leftSection={<IconCalendarClock {...ICON} />} onClick={() => open('schedule')}>
          {t('flows.panel.schedule')}
        </Menu.Item>
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
      {removing && <RemoveWorkflow onClose={() => setRemoving(false)} />}
    </>
  );
}

function RemoveWorkflow({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { workflows, state } = useWorkflow();
  const { route } = useShell();
  const { id, name, published } = state.workflow;
  return (
    <RemoveDialog
      title={t('flows.removeTitle')}
      text={t(published ? 'flows.removePublished' : 'flows.removeText', { name })}
      confirm={t('flows.removeConfirm')}
      remove={() => workflows.remove(id)}
      onRemoved={() => route.go({ area: 'flows', id: null })}
      onClose={onClose}
    />
  );
}
