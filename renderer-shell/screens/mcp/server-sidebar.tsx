import { matchesQuery } from '../../core/matches-query.ts';
import { RowButton } from '../../ui/frame/row-button.tsx';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { McpServerView } from '../../../service/contract/index.ts';
import { ListPane } from '../../ui/frame/list-pane.tsx';
import { useShell } from '../../state/shell.ts';
import { StateIcon, toneOfState } from './server-state.tsx';
import type { Servers } from './use-servers.ts';
import { hostMessage } from '../../core/messages/host-message.ts';
import { UnreadList } from '../../ui/frame/unread-list.tsx';

interface ServerSidebarProps {
  servers: Servers;
  chosenId: string | null;
  hidden: boolean;
}

export function ServerSidebar({ servers, chosenId, hidden }: ServerSidebarProps) {
  const { t } = useTranslation();
  const open = useOpen();
  const [query, setQuery] = useState('');
  return (
    <ListPane
      title={t('mcp.title')}
      hidden={hidden}
      search={{ label: t('mcp.search'), value: query, onChange: setQuery }}
      action={
        <Tooltip label={t('mcp.add')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('mcp.add')}
            onClick={() => open('new')}
          >
            <IconPlus size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      }
    >
      <ServerRows servers={servers} chosenId={chosenId} query={query} />
    </ListPane>
  );
}

interface ServerRowsProps {
  servers: Servers;
  chosenId: string | null;
  query: string;
}

function ServerRows({ servers: { state, refresh }, chosenId, query }: ServerRowsProps) {
  const { t } = useTranslation();
  const open = useOpen();
  if (state.kind === 'loading' || state.kind === 'failed')
    return <UnreadList state={state} onRetry={() => void refresh()} />;
  if (state.value.length === 0) {
    return (
      <div className="list-note">
        <p>{t('mcp.none')}</p>
        <Button size="xs" onClick={() => open('new')}>
          {t('mcp.add')}
        </Button>
      </div>
    );
  }
  const found = state.value.filter(({ name, tools }) =>
    matchesQuery(query, name, ...tools.map((tool) => tool.name)),
  );
  if (found.length === 0) return <p className="list-note">{t('mcp.noneFound', { query })}</p>;
  return (
    <ul className="rows">
      {found.map((server) => (
        <ServerRow key={server.id} server={server} chosen={server.id === chosenId} />
      ))}
    </ul>
  );
}

function ServerRow({ server, chosen }: { server: McpServerView; chosen: boolean }) {
  const { t } = useTranslation();
  const open = useOpen();
  const { id, name, state, tools, error, errorMessage } = server;
  const isAvailable = state === 'CONNECTED' || state === 'DEGRADED';
  return (
    <li>
      <RowButton
        chosen={chosen}
        dimmed={state === 'DISABLED'}
        title={error === undefined ? undefined : hostMessage(errorMessage, error)}
        onClick={() => open(id)}
      >
        <StateIcon state={state} size={20} />
        <span className="row-text">
          <span className="row-name untrusted">{name}</span>
          <span className="row-more" data-tone={toneOfState(state)}>
            {t(`mcpState.${state}`)}
            {isAvailable && ` · ${t('mcp.toolCount', { count: tools.length })}`}
          </span>
          {state === 'FAILED' && error !== undefined && (
            <span className="row-more mcp-reason untrusted">
              {hostMessage(errorMessage, error)}
            </span>
          )}
        </span>
      </RowButton>
    </li>
  );
}

function useOpen(): (id: string) => void {
  const { route, view } = useShell();
  return (id) => {
    route.go({ area: 'mcp', id });
    view.patch({ listOpen: false });
  };
}
