import { app } from 'electron';
import type { BuildFacts } from '../../service/app/index.ts';
import { linkScheme } from './deep-links.ts';

/**
 * Has links opened with this app. Elsewhere the package says so; the installer for Windows cannot, and the
 * folder of the zip may move.
 */
export function registerLinks(kind: BuildFacts['kind']): void {
  if (kind === 'win-setup') app.setAsDefaultProtocolClient(linkScheme.replace(':', ''));
}
