import type { Page } from 'playwright-core';

/** Returns a file that the fake service identifies by its name. */
export const packageFile = (name: string) => ({
  name,
  mimeType: 'application/zip',
  buffer: Buffer.from('package'),
});

/** Opens the install dialog with these files. */
export async function choosePackage(page: Page, ...names: string[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Install from file' }).first().click();
  await (await choosing).setFiles(names.map(packageFile));
}
