import { Menu, type MenuItemConstructorOptions } from 'electron';
import { labelsOf } from './labels.ts';

/** The menus of the system: on macOS the ones that every app has there, elsewhere those for texts alone. */
export function setMenu(language: string, platform: NodeJS.Platform = process.platform): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuOf(language, platform)));
}

export function menuOf(language: string, platform: NodeJS.Platform): MenuItemConstructorOptions[] {
  const labels = labelsOf(language);
  const edit: MenuItemConstructorOptions = { role: 'editMenu', label: labels.edit };
  const view: MenuItemConstructorOptions = {
    label: labels.view,
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  };
  if (platform === 'darwin')
    return [{ role: 'appMenu' }, edit, view, { role: 'windowMenu', label: labels.window }];
  const file: MenuItemConstructorOptions = {
    label: labels.file,
    submenu: [{ role: 'close' }, { role: 'quit', label: labels.quit }],
  };
  return [file, edit, view];
}
