import { Menu, type MenuItemConstructorOptions } from 'electron';
import { desktopTexts } from './desktop-text.ts';

/** Sets the application menu: the standard menus on macOS, only the edit commands elsewhere. */
export function setMenu(language: string, platform: NodeJS.Platform = process.platform): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuOf(language, platform)));
}

export function menuOf(language: string, platform: NodeJS.Platform): MenuItemConstructorOptions[] {
  const text = desktopTexts(language);
  const edit: MenuItemConstructorOptions = { role: 'editMenu', label: text('desktop.menuEdit') };
  const view: MenuItemConstructorOptions = {
    label: text('desktop.menuView'),
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  };
  if (platform === 'darwin')
    return [
      { role: 'appMenu' },
      edit,
      view,
      { role: 'windowMenu', label: text('desktop.menuWindow') },
    ];
  const file: MenuItemConstructorOptions = {
    label: text('desktop.menuFile'),
    submenu: [{ role: 'close' }, { role: 'quit', label: text('desktop.quit') }],
  };
  return [file, edit, view];
}
