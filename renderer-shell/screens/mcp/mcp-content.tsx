import { Button, Group } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ShowListButton } from '../../ui/frame/list-pane.tsx';
import { useShell } from '../../state/shell.ts';
import { AddServer } from './add-server.tsx';
import { SamplingSetting } from '../../ui/forms/sampling-setting.tsx';
import { ServerContent } from './server-content.tsx';
import type { Servers } from './use-servers.ts';

interface McpContentProps {
  servers: Servers;
  serverId: string | null;
  narrow: boolean;
}

/** Shows the chosen server, the form for a new one, or the introduction of the area. */
export function McpContent({ servers, serverId, narrow }: McpContentProps) {
  if (serverId === null) return <Overview />;
  if (serverId === 'new' || serverId === 'import')
    return <AddServer kind={serverId} servers={servers} narrow={narrow} />;
  const server = servers.find(serverId);
  if (server)
    return <ServerContent key={serverId} server={server} servers={servers} narrow={narrow} />;
  return <NoServer isLoaded={servers.state.kind === 'ready'} narrow={narrow} />;
}

function Overview() {
  const { t } = useTranslation();
  const { route } = useShell();
  return (
    <main className="content">
      <header className="toolbar">
        <h1 title={t('mcp.title')}>{t('mcp.title')}</h1>
      </header>
      <div className="mcp-body">
        <p className="plain">{t('mcp.what')}</p>
        <Group gap="xs">
          <Button size="xs" onClick={() => route.go({ area: 'mcp', id: 'new' })}>
            {t('mcp.add')}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => route.go({ area: 'mcp', id: 'import' })}
          >
            {t('mcp.paste')}
          </Button>
        </Group>
        <SamplingSetting />
      </div>
    </main>
  );
}

function NoServer({ isLoaded, narrow }: { isLoaded: boolean; narrow: boolean }) {
  const { t } = useTranslation();
  const { route } = useShell();
  return (
    <main className="content">
      <header className="toolbar">
        {narrow && <ShowListButton label={t('mcp.showList')} />}
        <h1 title={t('mcp.title')}>{t('mcp.title')}</h1>
      </header>
      <div className="pages">
        {isLoaded && (
          <div className="empty">
            <p>{t('mcp.unknown')}</p>
            <Button variant="default" onClick={() => route.go({ area: 'mcp', id: null })}>
              {t('mcp.showAll')}
            </Button>
          </div>
        )}
      </div>
    </main>
  );
}
