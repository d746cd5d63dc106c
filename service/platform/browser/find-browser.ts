import { access, constants } from 'node:fs/promises';
import { findProgram } from '../find-program.ts';

const programs = [
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'],
];

const defaultPaths: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
};

/**
 * Returns the absolute path of a Chromium-based browser: the named one, otherwise one on the PATH,
 * otherwise one in its usual folder. Null if there is none.
 */
export async function findBrowser(named: string | null): Promise<string | null> {
  if (named !== null) return (await exists(named)) ? named : null;
  for (const name of programs) {
    const found = await findProgram(name);
    if (found !== null) return found;
  }
  for (const file of defaultPaths[process.platform] ?? []) if (await exists(file)) return file;
  return null;
}

const exists = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
