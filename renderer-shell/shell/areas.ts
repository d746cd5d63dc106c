import {
  IconBuildingStore,
  IconMessage,
  IconPlugConnected,
  IconPuzzle,
  IconRobot,
  IconSitemap,
} from '@tabler/icons-react';
import type { Route } from '../state/address.ts';

/** The areas of the activity bar from top to bottom; their numbers are their keys. */
export const areas = [
  {
    area: 'chat',
    label: 'area.chat',
    icon: IconMessage,
    route: { area: 'chat', id: null } satisfies Route,
  },
  {
    area: 'agent',
    label: 'area.agent',
    icon: IconRobot,
    route: { area: 'agent', id: null } satisfies Route,
  },
  {
    area: 'flows',
    label: 'area.flows',
    icon: IconSitemap,
    route: { area: 'flows', id: null } satisfies Route,
  },
  {
    area: 'plugins',
    label: 'area.plugins',
    icon: IconPuzzle,
    route: { area: 'plugins', id: null } satisfies Route,
  },
  {
    area: 'store',
    label: 'area.store',
    icon: IconBuildingStore,
    route: { area: 'store', id: null } satisfies Route,
  },
  {
    area: 'mcp',
    label: 'area.mcp',
    icon: IconPlugConnected,
    route: { area: 'mcp', id: null } satisfies Route,
  },
] as const;

/** Returns the keys of an area, by its position in the activity bar. */
export const areaKeys = (index: number): string => `mod+${index + 1}`;
