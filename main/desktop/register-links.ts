import { app } from 'electron';
import type { BuildFacts } from '../../service/app/index.ts';
import { linkScheme } from './deep-links.ts';

/**
 * Registers this app for its links, on Windows only: other packages declare the scheme, but the
 * Windows installer cannot and the folder of the zip may move.
 */
export function registerLinks(kind: BuildFacts['kind']): void {
  if (kind !== 'win-setup') return;
  // `deep-links.ts` alone parses links, and they only open a question.
  // eslint-disable-next-line no-restricted-syntax
  app.setAsDefaultProtocolClient(linkScheme.replace(':', ''));
}
