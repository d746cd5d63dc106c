import { RowButton } from '../../ui/frame/row-button.tsx';
import { Age } from '../../ui/frame/age.tsx';
import { ActionIcon, Menu } from '@mantine/core';
import { IconFileImport, IconPlus, IconTemplate } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { WorkflowSummary } from '../../../service/contract/index.ts';
import type { FlowBook } from '../../state/flows/flow-book.ts';
import { ErrorNote } from '../../ui/frame/error-note.tsx';
import { ListPane } from '../../ui/frame/list-pane.tsx';
import { SearchedRows, useSearch } from '../../ui/frame/searched-pane.tsx';
import { useShell } from '../../state/shell.ts';
import type { NewFlow } from './use-new-flow.ts';
import { useNewFlow } from './use-new-flow.ts';

const ICON = { size: 16, 'aria-hidden': true } as const;

interface FlowSidebarProps {
  book: FlowBook;
  chosenId: string | null;
  hidden: boolean;
}

export function FlowSidebar({ book, chosenId, hidden }: FlowSidebarProps) {
  const { t } = useTranslation();
  const search = useSearch(book.list, t('flows.search'));
  const making = useNewFlow(book);
  return (
    <ListPane
      title={t('flows.title')}
      hidden={hidden}
      search={search}
      action={<NewMenu making={making} />}
    >
      {making.action.error !== null && (
        <div className="list-note">
          <ErrorNote error={making.action.error} />
        </div>
      )}
      <SearchedRows
        list={book.list}
        idOf={idOf}
        row={(workflow, nowMs) => (
          <FlowRow workflow={workflow} nowMs={nowMs} chosen={workflow.id === chosenId} />
        )}
        words={{
          none: t('flows.none'),
          noneFound: (query) => t('flows.noneFound', { query }),
          older: t('flows.older'),
        }}
      />
    </ListPane>
  );
}

function NewMenu({ making }: { making: NewFlow }) {
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
          loading={making.action.busy}
          aria-label={t('flows.new')}
        >
          <IconPlus size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPlus {...ICON} />} onClick={making.empty}>
          {t('flows.newEmpty')}
        </Menu.Item>
        <Menu.Item leftSection={<IconTemplate {...ICON} />} onClick={templates}>
          {t('flows.newFromTemplate')}
        </Menu.Item>
        <Menu.Item leftSection={<IconFileImport {...ICON} />} onClick={making.fromFile}>
          {t('flows.import')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const idOf = ({ id }: WorkflowSummary) => id;

interface FlowRowProps {
  workflow: WorkflowSummary;
  nowMs: number;
  chosen: boolean;
}

function FlowRow({ workflow, nowMs, chosen }: FlowRowProps) {
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
