import { IconLayoutSidebarLeftCollapse, IconSettings } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from '../core/messages/use-translation.ts';
import type { Area, Route } from '../state/address.ts';
import { areas } from './areas.ts';

interface AreaButtonsProps {
  now: Route;
  collapsed: boolean;
  /** Number of plugins with an update in the store. */
  updates: number;
  /** True if another item of the bar is active. */
  elsewhere: boolean;
  onGo: (target: Route) => void;
  onCollapse: () => void;
  /** Shown between the areas and the settings. */
  children?: ReactNode;
}

/**
 * Shows the activity bar with the data that is known before the host has answered; the skeleton has
 * it too.
 */
export function AreaButtons(props: AreaButtonsProps) {
  const { t } = useTranslation();
  const { now, collapsed, updates, elsewhere, onGo, onCollapse, children } = props;
  return (
    <nav className="activity" data-collapsed={collapsed} aria-label={t('area.label')}>
      {areas.map(({ area, label, icon, route: target }) => (
        <ActivityButton
          key={area}
          area={area}
          icon={icon}
          label={t(label)}
          updates={area === 'store' ? updates : 0}
          chosen={now.area === area && !elsewhere}
          current={now.area === area && (area !== 'plugins' || now.id === null)}
          // A second press on the plugins returns to their overview.
          onClick={() => onGo(now.area === area && area !== 'plugins' ? now : target)}
        />
      ))}
      {children}
      <span className="activity-gap" />
      <ActivityButton
        area="settings"
        icon={IconSettings}
        label={t('area.settings')}
        chosen={now.area === 'settings'}
        current={now.area === 'settings'}
        onClick={() => onGo({ area: 'settings', id: null })}
      />
      <ActivityButton
        icon={IconLayoutSidebarLeftCollapse}
        className="activity-collapse"
        label={t(collapsed ? 'area.expand' : 'area.collapse')}
        chosen={false}
        current={false}
        onClick={onCollapse}
      />
    </nav>
  );
}

interface ActivityButtonProps {
  area?: Area;
  icon: ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>;
  label: string;
  className?: string;
  updates?: number;
  chosen: boolean;
  current: boolean;
  onClick: () => void;
}

function ActivityButton(props: ActivityButtonProps) {
  const { t } = useTranslation();
  const { area, icon: Icon, label, className = '', updates = 0, chosen, current, onClick } = props;
  const name = updates === 0 ? label : t('area.updates', { label, count: updates });
  return (
    <button
      type="button"
      className={`activity-button ${className}`}
      data-area={area}
      data-chosen={chosen}
      aria-current={current ? 'page' : undefined}
      aria-label={name}
      title={name}
      onClick={onClick}
    >
      {updates > 0 && <span className="activity-badge">{updates}</span>}
      <Icon size={20} stroke={1.6} aria-hidden />
      <span className="activity-label">{label}</span>
    </button>
  );
}
