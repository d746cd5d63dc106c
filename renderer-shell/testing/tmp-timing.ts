import { chromium } from 'playwright-core';
import { builtShell } from './built-shell.ts';
import { FakeService } from './fake-service.ts';
import { makeInspection } from './fake-host.ts';
import { choosePackage } from './choose-package.ts';
for (const extra of [[], ['--disable-gpu', '--disable-software-rasterizer'], ['--single-process-x','--disable-site-isolation-trials','--renderer-process-limit=1']]) {
  const t0 = Date.now();
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--disable-background-networking', '--no-first-run', ...extra] });
  console.log(extra.join(' '), 'launch', Date.now() - t0);
  for (const motion of ['no-preference', 'reduce'] as const) for (let n = 0; n < 2; n += 1) {
    const service = new FakeService(builtShell());
    await service.start();
    service.host.packages.set('words.plugin', makeInspection());
    const marks: string[] = []; let last = Date.now();
    const mark = (name: string) => { marks.push(`${name} ${Date.now() - last}`); last = Date.now(); };
    const context = await browser.newContext({ locale: 'en', reducedMotion: motion });
    const page = await context.newPage(); mark('page');
    await page.goto(service.ticketUrl()); mark('goto');
    await page.getByRole('navigation').waitFor(); mark('nav');
    await choosePackage(page, 'words.plugin'); mark('choose');
    await page.getByText('com.example.words').waitFor(); mark('shown');
    await page.getByRole('button', { name: 'Install', exact: true }).click(); mark('click');
    await page.getByRole('heading', { name: 'Words', level: 1 }).waitFor(); mark('installed');
    await context.close(); await service.stop(); mark('close');
    console.log(motion, marks.join(', '));
  }
  await browser.close();
}
