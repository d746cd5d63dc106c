import { Button } from '@mantine/core';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { ErrorAlert } from '../../ui/frame/error-alert.tsx';
import type { Action } from '../../ui/frame/use-action.ts';
import { useAction } from '../../ui/frame/use-action.ts';
import { PluginFrame } from '../../ui/plugin-frame/plugin-frame.tsx';
import { hasPage, pluginNeedsAttention } from '../../state/plugin-list.ts';
import { useShell } from '../../state/shell.ts';
import { useStore } from '../../core/store.ts';
import { ContributionsPage } from '../../ui/plugins/contributions-page.tsx';
import { HomePage } from './home-page.tsx';
import { MissingSettings } from './missing-settings.tsx';
import { PluginToolbar } from './plugin-toolbar.tsx';
import { PluginProblem } from './plugin-problem.tsx';

interface PluginContentProps {
  chosenId: string | null;
  plugin: MarketplacePlugin | undefined;
  narrow: boolean;
}

/** Shows the chosen plugin: its toolbar, its problems, and its page. */
export function PluginContent({ chosenId, plugin, narrow }: PluginContentProps) {
  const action = useAction();
  const { plugins } = useShell();
  const { kind } = useStore(plugins.state);
  const atHome = chosenId === null && kind === 'ready';
  return (
    <main className="content">
      {atHome && <HomePage narrow={narrow} />}
      {plugin && <PluginToolbar plugin={plugin} narrow={narrow} action={action} />}
      {action.error !== null && (
        <div className="content-note">
          <ErrorAlert error={action.error} onRetry={undefined} />
        </div>
      )}
      {plugin?.enabled && <MissingSettings plugin={plugin} />}
      {plugin && pluginNeedsAttention(plugin) && <PluginProblem plugin={plugin} action={action} />}
      <div className="pages" hidden={atHome}>
        <OpenPages chosenId={chosenId} />
        <PagePlaceholder chosenId={chosenId} plugin={plugin} action={action} />
      </div>
    </main>
  );
}

function OpenPages({ chosenId }: { chosenId: string | null }) {
  const { pages, plugins } = useShell();
  const reloads = useStore(plugins.reloads);
  return useStore(pages).map((id) => {
    const plugin = plugins.find(id);
    if (!plugin) return null;
    // The page of a replaced version would talk to a worker that it was not made for.
    const copy = `${plugin.version} ${plugin.installedAt ?? ''}`;
    const load = `${id} ${copy} ${reloads.get(id) ?? 0}`;
    return <PluginFrame key={load} plugin={plugin} hidden={id !== chosenId} />;
  });
}

interface PagePlaceholderProps {
  chosenId: string | null;
  plugin: MarketplacePlugin | undefined;
  action: Action;
}

/** Shows the placeholder if there is no page to show. */
function PagePlaceholder({ chosenId, plugin, action }: PagePlaceholderProps) {
  const { t } = useTranslation();
  const { plugins, route } = useShell();
  if (useStore(plugins.state).kind !== 'ready' || chosenId === null) return null;
  if (plugin && !hasPage(plugin)) return <ContributionsPage plugin={plugin} />;
  if (plugin?.enabled) return null;
  if (plugin) {
    return (
      <div className="empty">
        <p className="untrusted">{t('plugin.disabled', { name: plugin.name })}</p>
        <Button
          loading={action.busy}
          onClick={() => void action.run(() => plugins.setEnabled(plugin.id, true))}
        >
          {t('plugin.enable')}
        </Button>
      </div>
    );
  }
  return (
    <div className="empty">
      <p className="untrusted">{t('plugin.unknown', { id: chosenId })}</p>
      <Button variant="default" onClick={() => route.go({ area: 'plugins', id: null })}>
        {t('plugin.showAll')}
      </Button>
    </div>
  );
}
