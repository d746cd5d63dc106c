/** What can be installed and what is: packages are inspected, installed, enabled, uninstalled here. */
import type { Route } from '../../http/route.ts';
import { type MarketplaceOptions, marketplaceRoutes } from './routes.ts';

export function createMarketplace(options: MarketplaceOptions): { routes: Route[] } {
  return { routes: marketplaceRoutes(options) };
}
