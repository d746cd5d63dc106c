import { Tabs } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { McpServerView } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import { useShell } from '../../state/shell.ts';
import { PromptList } from './prompt-list.tsx';
import { ResourceList } from './resource-list.tsx';
import { ServerFacts } from './server-facts.tsx';
import { serverDraftKey, ServerForm } from './server-form.tsx';
import { ServerAlerts } from './server-alerts.tsx';
import { ServerToolbar } from './server-toolbar.tsx';
import { ToolList } from './tool-list.tsx';
import { useServerActions } from './use-server-actions.ts';
import type { Servers } from './use-servers.ts';

interface ServerContentProps {
  server: McpServerView;
  servers: Servers;
  narrow: boolean;
}

/** Shows one server: its status, what it offers, and its configuration. */
export function ServerContent({ server, servers, narrow }: ServerContentProps) {
  const actions = useServerActions(server, servers);
  const { drafts } = useShell();
  const [isEditing, setEditing] = useState(() => drafts.has(serverDraftKey(server)));
  return (
    <main className="content">
      <ServerToolbar
        server={server}
        actions={actions}
        narrow={narrow}
        onEdit={() => setEditing(true)}
      />
      <div className="mcp-body" key={isEditing ? 'form' : 'parts'}>
        {actions.error !== null && <ErrorAlert error={actions.error} />}
        {isEditing ? (
          <ServerForm
            server={server}
            onDone={(view) => {
              setEditing(false);
              actions.clear();
              if (view) servers.take(view);
            }}
          />
        ) : (
          <>
            <ServerAlerts server={server} actions={actions} onEdit={() => setEditing(true)} />
            <ServerParts server={server} />
          </>
        )}
      </div>
    </main>
  );
}

function ServerParts({ server }: { server: McpServerView }) {
  const { t } = useTranslation();
  const { tools, state } = server;
  const isConnected = state === 'CONNECTED';
  // After it reconnects, a server may offer other items.
  const session = `${server.id} ${server.lastConnectedAt} ${tools.length}`;
  const [chosen, setChosen] = useState<string | null>(null);
  const tab = chosen ?? (tools.length > 0 ? 'tools' : 'setup');
  return (
    <Tabs value={tab} onChange={setChosen} keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="tools">{t('mcp.tools', { count: tools.length })}</Tabs.Tab>
        <Tabs.Tab value="prompts">{t('mcp.prompts')}</Tabs.Tab>
        <Tabs.Tab value="resources">{t('mcp.resources')}</Tabs.Tab>
        <Tabs.Tab value="setup">{t('mcp.setup')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="tools" pt="sm">
        <ToolList key={session} server={server} />
      </Tabs.Panel>
      <Tabs.Panel value="prompts" pt="sm">
        {isConnected ? (
          <PromptList key={session} id={server.id} />
        ) : (
          <p className="quiet">{t('mcp.whenThere')}</p>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="resources" pt="sm">
        {isConnected ? (
          <ResourceList key={session} id={server.id} />
        ) : (
          <p className="quiet">{t('mcp.whenThere')}</p>
        )}
      </Tabs.Panel>
      <Tabs.Panel value="setup" pt="sm">
        <ServerFacts server={server} />
      </Tabs.Panel>
    </Tabs>
  );
}
