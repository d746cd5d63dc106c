import { Menu, Tray } from 'electron';
import { desktopTexts } from './desktop-text.ts';

/** Actions of the tray menu. */
export interface TrayWishes {
  show: () => void;
  quit: () => void;
}

/** The tray icon, shown while the app may run without its window. */
export class TrayIcon {
  private readonly icon: string;
  private readonly wishes: TrayWishes;
  private tray: Tray | null = null;

  constructor(icon: string, wishes: TrayWishes) {
    this.icon = icon;
    this.wishes = wishes;
  }

  /** True if the icon exists. */
  get isVisible(): boolean {
    return this.tray !== null;
  }

  follow({ keepInTray, language }: { keepInTray: boolean; language: string }): void {
    if (!keepInTray) return this.remove();
    this.tray ??= this.make();
    const text = desktopTexts(language);
    this.tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: text('desktop.show'), click: () => this.wishes.show() },
        { type: 'separator' },
        { label: text('desktop.quit'), click: () => this.wishes.quit() },
      ]),
    );
  }

  private make(): Tray {
    const tray = new Tray(this.icon);
    tray.setToolTip('Plugin Host');
    tray.on('click', () => this.wishes.show());
    return tray;
  }

  remove(): void {
    this.tray?.destroy();
    this.tray = null;
  }
}
