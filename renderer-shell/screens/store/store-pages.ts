import type { Shell } from '../../state/shell.ts';

/** Pages of the store other than plugins; ids of plugins never begin with a tilde. */
export const updatesPageId = '~updates';
export const sourcesPageId = '~sources';

/** Focuses the card that Tab would reach. */
export const focusCard = (): void =>
  document.querySelector<HTMLElement>('.card-open[tabindex="0"]')?.focus();

export const goTo = ({ route, view }: Shell, id: string | null): void => {
  route.go({ area: 'store', id });
  view.patch({ listOpen: false });
};
