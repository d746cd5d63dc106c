import { RowButton } from '../../ui/frame/row-button.tsx';
import { Age } from '../../ui/frame/age.tsx';
import { ActionIcon, Menu } from '@mantine/core';
import { IconFileImport, IconPlus, IconTemplate } from '@tabler/icons-react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { WorkflowSummary } from '../../../service/contract/index.ts';
import type { Workflows } from '../../state/workflows/workflows.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { ListPane } from '../../ui/frame/list-pane.tsx';
import { SearchedRows, useSearch } from '../../ui/frame/searched-pane.tsx';
import { useShell } from '../../state/shell.ts';
import type { NewWorkflowActions } from './use-new-workflow.ts';
import { useNewWorkflow } from './use-new-workflow.ts';

const ICON = { size: 16, 'aria-hidden': true } as const;

interface WorkflowSidebarProps {
  workflows: Workflows;
  chosenId: string | null;
  hidden: boolean;
}

export function WorkflowSidebar({ workflows, chosenId, hidden }: WorkflowSidebarProps) {
  const { t } = useTranslation();
  const search = useSearch(workflows.list, t('flows.search'));
  const creation = useNewWorkflow(workflows);
  return (
    <ListPane
      title={t('flows.title')}
      hidden={hidden}
      search={search}
      action={<NewMenu creation={creation} />}
    >
      {creation.action.error !== null && (
        <div className="list-note">
          <ErrorAlert error={creation.action.error} />
        </div>
      )}
      <SearchedRows
        list={workflows.list}
        idOf={idOf}
        row={(workflow, nowMs) => (
          <WorkflowRow workflow={workflow} nowMs={nowMs} chosen={workflow.id === chosenId} />
        )}
        labels={{
          none: t('flows.none'),
          noneFound: (query) => t('flows.noneFound', { query }),
          older: t('flows.older'),
        }}
      />
    </ListPane>
  );
}

function NewMenu({ creation }: { creation: NewWorkflowActions }) {
  const { t } = useTranslation();
  const { route, view } = useShell();
  const templates = () => {
    route.go({ area: 'flows', id: null });
    view.patch({ listOpen: false });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          loading={creation.action.busy}
          aria-label={t('flows.new')}
        >
          <IconPlus size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPlus {...ICON} />} onClick={creation.empty}>
          {t('flows.newEmpty')}
        </Menu.Item>
        <Menu.Item leftSection={<IconTemplate {...ICON} />} onClick={templates}>
          {t('flows.newFromTemplate')}
        </Menu.Item>
        <Menu.Item leftSection={<IconFileImport {...ICON} />} onClick={creation.fromFile}>
          {t('flows.import')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const idOf = ({ id }: WorkflowSummary) => id;

interface WorkflowRowProps {
  workflow: WorkflowSummary;
  nowMs: number;
  chosen: boolean;
}

function WorkflowRow({ workflow, nowMs, chosen }: WorkflowRowProps) {
  const { t } = useTranslation();
  const { route, view } = useShell();
  const { id, name, published, plan, updatedAt } = workflow;
  const open = () => {
    route.go({ area: 'flows', id });
    view.patch({ listOpen: false });
  };
  const isDraft = plan.steps.length === 0;
  return (
    <RowButton chosen={chosen} onClick={open}>
      <span className="row-text">
        <span className="row-name untrusted">{name}</span>
        <span className="row-more" data-tone={published ? 'good' : undefined}>
          {t(published ? 'flows.published' : isDraft ? 'flows.unfinished' : 'flows.draft')}
          {' · '}
          <Age at={updatedAt} nowMs={nowMs} />
        </span>
      </span>
    </RowButton>
  );
}
