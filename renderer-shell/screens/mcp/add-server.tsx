import { SegmentedControl } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import { ShowListButton } from '../../ui/frame/list-pane.tsx';
import { useShell } from '../../state/shell.ts';
import { ImportServers } from './import-servers.tsx';
import { ServerForm } from './server-form.tsx';
import type { Servers } from './use-servers.ts';

interface AddServerProps {
  kind: 'new' | 'import';
  servers: Servers;
  narrow: boolean;
}

/** Adds a server by form, or imports several from the configuration of other programs. */
export function AddServer({ kind, servers, narrow }: AddServerProps) {
  const { t } = useTranslation();
  const { route } = useShell();
  return (
    <main className="content">
      <header className="toolbar">
        {narrow && <ShowListButton label={t('mcp.showList')} />}
        <h1 title={t('mcp.add')}>{t('mcp.add')}</h1>
        <span className="toolbar-gap" />
        <SegmentedControl
          size="xs"
          aria-label={t('mcp.how')}
          value={kind}
          data={[
            { value: 'new', label: t('mcp.byForm') },
            { value: 'import', label: t('mcp.byJson') },
          ]}
          onChange={(id) => route.go({ area: 'mcp', id })}
        />
      </header>
      <div className="mcp-body">
        {kind === 'new' ? (
          <ServerForm
            server={null}
            onDone={(view) => {
              if (view) servers.take(view);
              route.go({ area: 'mcp', id: view?.id ?? null });
            }}
          />
        ) : (
          <ImportServers servers={servers} />
        )}
      </div>
    </main>
  );
}
