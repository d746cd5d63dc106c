import { useEffect } from 'react';
import { useTranslation } from '../../core/messages/use-translation.ts';
import type { Shell } from '../../state/shell.ts';
import { createStore, useStore } from '../../core/store.ts';

/** A page has one title, so it is stored in one place. */
const currentTitle = createStore<string | null>(null);

/** Sets the screen's part of the window title; null if the name of the area is enough. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    currentTitle.set(title);
    return () => currentTitle.set(null);
  }, [title]);
}

/** Updates the window title: the content, the area, and the name of the program. */
export function useWindowTitle({ plugins, route }: Shell): void {
  const { t } = useTranslation();
  const { area, id } = useStore(route);
  const named = useStore(currentTitle);
  useStore(plugins.state);
  // Plugin pages stay mounted behind other areas, so their screen cannot set the title.
  const plugin = area === 'plugins' && id !== null ? plugins.find(id)?.name : undefined;
  const title = [area === 'plugins' ? plugin : named, t(`area.${area}`), t('area.window')]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(' – ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
