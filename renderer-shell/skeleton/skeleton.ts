import type { Appearance } from '../core/theme/appearance.ts';
import { routeOfPage } from '../state/address.ts';
import { frames, styles } from './markup.tsx';

/**
 * Shows the frame of the window until the page replaces it. It is hidden from assistive technology.
 * A click on an area changes the address, from which the page starts.
 */
export function showSkeleton(container: HTMLElement, appearance: Appearance, nonce: string): void {
  const { html, titles } = frames[appearance.language];
  const style = document.createElement('style');
  style.nonce = nonce;
  style.textContent = styles[appearance.theme];
  container.innerHTML = html;
  container.prepend(style);

  const bar = container.querySelector<HTMLElement>('.activity');
  const title = container.querySelector('h2');
  const buttons = [...container.querySelectorAll('button')];
  if (bar) bar.dataset['collapsed'] = String(appearance.sidebarCollapsed);
  for (const button of buttons) button.tabIndex = -1;
  const choose = () => {
    const { area } = routeOfPage(window);
    for (const { dataset } of buttons) dataset['chosen'] = String(dataset['area'] === area);
    if (title) title.textContent = titles[area];
  };
  choose();
  bar?.addEventListener('click', ({ target }) => {
    const { area } = (target as Element).closest('button')?.dataset ?? {};
    if (area === undefined) return;
    location.hash = `/${area}`;
    choose();
  });
}
