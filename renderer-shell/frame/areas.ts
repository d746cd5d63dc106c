import { IconPuzzle } from '@tabler/icons-react';
import type { Route } from '../state/route.ts';

/** The areas of the activity bar, top to bottom; their numbers are their keys. */
export const areas = [
  {
    area: 'plugins',
    label: 'area.plugins',
    icon: IconPuzzle,
    route: { area: 'plugins', pluginId: null } satisfies Route,
  },
] as const;
