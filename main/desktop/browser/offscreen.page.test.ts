import type { App } from 'electron';
import { vi } from 'vitest';
import { DrivenEngine } from '../../../service/app/index.ts';
import {
  describeBrowser,
  type TestEngine,
} from '../../../service/testing/browser/browser-behaviour.ts';
import { app, asked, emitReady, resetElectron } from '../../testing/stand-in/electron.ts';
import { closeOffscreen, openOffscreen } from '../../testing/stand-in/offscreen-page.ts';
import { guardPages } from '../guards.ts';
import { ModelBrowser } from './model-browser.ts';

vi.mock('electron', () => import('../../testing/stand-in/electron.ts'));

async function startEngine(): Promise<TestEngine> {
  resetElectron();
  asked.openPage = openOffscreen;
  guardPages(
    app as unknown as App,
    () => '',
    () => undefined,
  );
  emitReady();
  return { engine: new DrivenEngine((send) => new ModelBrowser(send)), close: closeOffscreen };
}

describeBrowser("Electron's offscreen windows", startEngine);
