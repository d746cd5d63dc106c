import { isFound } from '../../core/is-found.ts';
import { RowButton } from '../../ui/frame/row-button.tsx';
import { Age } from '../../ui/frame/age.tsx';
import { ActionIcon, Menu } from '@mantine/core';
import { IconFileImport, IconPlus, IconTemplate } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WorkflowSummary } from '../../../service/contract/index.ts';
import type { FlowBook } from '../../state/flows/flow-book.ts';
import { ErrorNote } from '../../ui/frame/error-note.tsx';
import { ListPane } from '../../ui/frame/list-pane.tsx';
import { RowList } from '../../ui/frame/row-list.tsx';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import type { NewFlow } from './use-new-flow.ts';
import { useNewFlow } from './use-new-flow.ts';
import { UnreadList } from '../../ui/frame/unread-list.tsx';

const ICON = { size: 16, 'aria-hidden': true } as const;

interface FlowSidebarProps {
  book: FlowBook;
  chosenId: string | null;
  hidden: boolean;
}

export function FlowSidebar({ book, chosenId, hidden }: FlowSidebarProps) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const making = useNewFlow(book);
  return (
    <ListPane
      title={t('flows.title')}
      hidden={hidden}
      search={{ label: t('flows.search'), value: query, onChange: setQuery }}
      action={<NewMenu making={making} />}
    >
      {making.action.error !== null && (
        <div className="list-note">
          <ErrorNote error={making.action.error} />
        </div>
      )}
      <FlowRows book={book} chosenId={chosenId} query={query} />
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

function FlowRows({ book, chosenId, query }: Omit<FlowSidebarProps, 'hidden'> & { query: string }) {
  const { t } = useTranslation();
  const list = useStore(book.list);
  if (list.kind === 'loading' || list.kind === 'failed')
    return <UnreadList state={list} onRetry={() => void book.refresh()} />;
  if (list.value.length === 0) return <p className="list-note">{t('flows.none')}</p>;
  const found = list.value.filter(({ name, description }) => isFound(query, name, description));
  if (found.length === 0) return <p className="list-note">{t('flows.noneFound', { query })}</p>;
  return (
    <RowList
      items={found}
      idOf={({ id }) => id}
      row={(workflow) => <FlowRow workflow={workflow} chosen={workflow.id === chosenId} />}
    />
  );
}

function FlowRow({ workflow, chosen }: { workflow: WorkflowSummary; chosen: boolean }) {
  const { t } = useTranslation();
  const { route, view } = useShell();
  const { id, name, published, plan, updatedAt } = workflow;
  const [now] = useState(() => Date.now());
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
          <Age at={updatedAt} nowMs={now} />
        </span>
      </span>
    </RowButton>
  );
}
