import { RowButton } from '../../ui/frame/row-button.tsx';
import { useTranslation } from 'react-i18next';
import type { MarketplacePlugin } from '../../../service/contract/index.ts';
import { useShell } from '../../state/shell.ts';
import { PluginIcon } from '../../ui/plugins/plugin-icon.tsx';
import { stateLabelKey, toneOf } from './plugin-state-label.ts';

interface PluginListItemProps {
  plugin: MarketplacePlugin;
  chosen: boolean;
}

export function PluginListItem({ plugin, chosen }: PluginListItemProps) {
  const { t } = useTranslation();
  const { route, view } = useShell();
  const open = () => {
    route.go({ area: 'plugins', id: plugin.id });
    view.patch({ listOpen: false });
  };
  return (
    <li>
      <RowButton chosen={chosen} dimmed={!plugin.enabled} onClick={open}>
        <PluginIcon plugin={plugin} size={26} />
        <span className="row-text">
          <span className="row-name untrusted">{plugin.name}</span>
          <span className="row-more" data-tone={toneOf(plugin)}>
            {t(stateLabelKey(plugin))}
          </span>
        </span>
      </RowButton>
    </li>
  );
}
