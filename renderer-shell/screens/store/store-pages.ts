import type { Shell } from '../../state/shell.ts';

/** Parts of the store beside its plugins, whose ids never begin like this. */
export const updatesPageId = '~updates';
export const sourcesPageId = '~sources';

/** The one that Tab would come to. */
export const focusCard = (): void =>
  document.querySelector<HTMLElement>('.card-open[tabindex="0"]')?.focus();

export const goTo = ({ route, view }: Shell, id: string | null): void => {
  route.go({ area: 'store', id });
  view.patch({ listOpen: false });
};
