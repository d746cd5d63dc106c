import { app } from 'electron';
import type { BuildFacts } from '../../service/app/index.ts';
import { linkScheme } from './deep-links.ts';

/**
 * Has links opened with this app. Elsewhere the package says so; the installer for Windows cannot, and the
 * folder of the zip may move.
 */
export function registerLinks(kind: BuildFacts['kind']): void {
  if (kind !== 'win-setup') return;
  // What a link says is read by `deep-links.ts` alone, and opens a question.
  // eslint-disable-next-line no-restricted-syntax
  app.setAsDefaultProtocolClient(linkScheme.replace(':', ''));
}
