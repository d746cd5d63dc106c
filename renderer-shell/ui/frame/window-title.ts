import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Shell } from '../../state/shell.ts';
import { createStore, useStore } from '../../core/store.ts';

/** A page has one title, so what its screen shows stands in one place. */
const currentTitle = createStore<string | null>(null);

/** Names what the screen shows in the title of the window; null where the area says it all. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    currentTitle.set(title);
    return () => currentTitle.set(null);
  }, [title]);
}

/** Keeps the title of the window: what is shown, where, and of which program it is. */
export function useWindowTitle({ plugins, route }: Shell): void {
  const { t } = useTranslation();
  const { area, id } = useStore(route);
  const named = useStore(currentTitle);
  useStore(plugins.state);
  // The pages of plugins stay behind other areas, so theirs is not told by the screen.
  const plugin = area === 'plugins' && id !== null ? plugins.find(id)?.name : undefined;
  const title = [area === 'plugins' ? plugin : named, t(`area.${area}`), t('area.window')]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' – ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
