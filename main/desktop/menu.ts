import { Menu, type MenuItemConstructorOptions } from 'electron';
import { wordsOf } from './words.ts';

/** The menus of the system: on macOS the ones that every app has there, elsewhere those for texts alone. */
export function setMenu(language: string, platform: NodeJS.Platform = process.platform): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuOf(language, platform)));
}

export function menuOf(language: string, platform: NodeJS.Platform): MenuItemConstructorOptions[] {
  const words = wordsOf(language);
  const edit: MenuItemConstructorOptions = { role: 'editMenu', label: words.edit };
  const view: MenuItemConstructorOptions = {
    label: words.view,
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  };
  if (platform === 'darwin')
    return [{ role: 'appMenu' }, edit, view, { role: 'windowMenu', label: words.window }];
  const file: MenuItemConstructorOptions = {
    label: words.file,
    submenu: [{ role: 'close' }, { role: 'quit', label: words.quit }],
  };
  return [file, edit, view];
}
