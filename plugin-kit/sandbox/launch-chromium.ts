import type { Browser } from 'playwright-core';
import { findBrowser } from '../../service/platform/browser/find-browser.ts';

const startLimitMs = 90_000;

/**
 * Starts a headless Chromium.
 * @throws Error that says what to install
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = await findBrowser(process.env['PLUGIN_KIT_BROWSER'] ?? null);
  if (executablePath === null)
    throw new Error(
      'Chromium was not found. Install Chromium (Debian, Ubuntu: apt-get install chromium) or Google Chrome, or name one in PLUGIN_KIT_BROWSER.',
    );
  // Imported on demand: tests without a page do not need it.
  const { chromium } = await import('playwright-core');
  // Chromium does not run as root with its sandbox.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args, timeout: startLimitMs });
}
