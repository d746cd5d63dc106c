import type { Page } from 'playwright-core';
import { expect, test } from '@playwright/test';
import { seriousViolations } from '../renderer-shell/testing/axe.ts';
import { api, hostVersion } from '../service/contract/index.ts';
import type { Language } from '../service/messages/languages.ts';
import { packPlugin } from '../service/testing/packages.ts';
import { hostPages } from './host-pages.ts';
import { clippedTexts, textsBesideCatalog, untranslatedTexts } from './page-checks.ts';
import { pseudoTag, pseudoText, speakPseudo } from './pseudo-language.ts';
import { loadTranslations } from './translations.ts';
import { seedHost, routes, pluginId, startTestServers } from './shell-content.ts';

// The workflow is a draft, and the host reports what is missing.
const { hosts, page: currentPage, picture, renew } = hostPages([404, 422]);
const limitMs = 400_000;
/** Names and keys that are the same in all languages. */
const names = [
  ...['SQLITE', 'MySQL', 'PostgreSQL', 'JSON tools', 'Words', 'SHA', 'Command(ls:*)', 'bubblewrap'],
  ...['OpenAI', 'Anthropic', 'Google', 'Gemini', 'DeepSeek', 'OpenRouter', 'Mistral', 'Groq'],
  ...['xAI', 'Moonshot', 'Zhipu', 'SiliconFlow', 'Alibaba', 'Ollama', 'LM Studio'],
  ...['.host/workspace', 'Ctrl + Shift', hostVersion],
];
/**
 * On a page in another language, content from others is Chinese, so that any English text is the
 * shell's.
 */
const chinese = (what: string): string =>
  `例子“${'一二三四五六七八九十'.repeat(9).slice(0, what.length / 2)}”`;
const same = (what: string): string => what;
const translations = { en: same, 'zh-CN': chinese, de: same, pseudo: chinese };

/** Besides the names: number formats and address formats. */
const units = [...names, 'SQLite', 'MB', 'kB', 'GB', 'https://… · owner/repo · file:///…'];

const { model, web } = startTestServers();

/** Waits until a screen shows its content and nothing moves. */
async function settled(page: Page): Promise<void> {
  const unsettled = () =>
    page.evaluate(() => {
      // In a narrow window the list replaces a screen without content.
      const screens = [...document.querySelectorAll<HTMLElement>('main, .list')];
      const isVisible = screens.some((each) => each.checkVisibility() && each.innerText.trim());
      const busy = '.mantine-Skeleton-root, [aria-busy="true"]';
      const waits = [...document.querySelectorAll(busy)].filter((each) => each.checkVisibility());
      const moving = document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .map(({ effect }) => (effect as KeyframeEffect).target?.outerHTML.slice(0, 200));
      const problems = isVisible ? [] : ['nothing is shown'];
      return [location.hash, ...problems, ...waits.map(({ className }) => className), ...moving];
    });
  await expect.poll(unsettled).toHaveLength(1);
}

async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((hash) => (location.hash = hash), path);
  // Changes of the address are rendered within two frames.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await settled(page);
}

type Appearance = { theme: 'light' | 'dark'; language: keyof typeof translations };
// Colours do not depend on the language.
const appearances: Appearance[] = [
  { theme: 'light', language: 'en' },
  { theme: 'dark', language: 'en' },
  { theme: 'light', language: 'zh-CN' },
  { theme: 'light', language: 'de' },
  { theme: 'light', language: 'pseudo' },
];

/** Returns the language tag for the host's settings and the browser. */
const tagOf = (language: Appearance['language']): Language =>
  language === 'pseudo' ? pseudoTag : language;

/** Turns a path into a file name for screenshots, without ids, which differ in each run. */
const nameOf = (at: string): string =>
  at
    .replaceAll(/[\da-f-]{36}/g, 'open')
    .replaceAll(/\W+/g, '-')
    .replace(/^-/, '');

const themeOf = (page: Page): Promise<string | null> =>
  page.locator('html').getAttribute('data-mantine-color-scheme');

/** Returns the problems of the current page with its path; also saves a screenshot. */
async function inspect(page: Page, at: string, { theme, language }: Appearance): Promise<string[]> {
  expect(await themeOf(page)).toBe(theme);
  if (language !== 'pseudo') await picture(`walk-${language}-${theme}-${nameOf(at)}`);
  const clipped = await clippedTexts(page, language === 'pseudo');
  const wrong = clipped.map((text) => `1280 px: ${text}`);
  if (language === 'zh-CN')
    wrong.push(...(await untranslatedTexts(page, names)).map((text) => `English: ${text}`));
  if (language === 'pseudo')
    wrong.push(...(await textsBesideCatalog(page, units)).map((text) => `no message: ${text}`));
  // All languages have the same elements; Chinese has other fonts and its own `lang`.
  if (language === 'en' || language === 'zh-CN') wrong.push(...(await seriousViolations(page)));
  return wrong.map((text) => `${at}: ${text}`);
}

/** Opens each dialog of the shell in turn. */
async function dialogs(
  page: Page,
  language: Appearance['language'],
): Promise<[name: string, open: () => Promise<unknown>][]> {
  const isPseudo = language === 'pseudo';
  const texts = await loadTranslations(isPseudo ? 'en' : language);
  const t = (key: string): string => (isPseudo ? pseudoText(texts(key)) : texts(key));
  const plugin = `/plugins/${pluginId}`;
  return [
    ['palette', () => page.keyboard.press('Control+k')],
    ['shortcuts', () => page.keyboard.press('?')],
    ['notifications', () => page.locator('.status button').last().click()],
    [
      'install dialog',
      async () => {
        await goTo(page, '/plugins');
        const choosing = page.waitForEvent('filechooser');
        await page
          .getByRole('button', { name: t('install.open') })
          .first()
          .click();
        const manifest = { id: 'acme.other', name: 'Other', permissions: ['network'] };
        const buffer = await packPlugin({ manifest });
        const file = { name: 'other.plugin', mimeType: 'application/zip', buffer };
        await (await choosing).setFiles(file);
        await page.getByRole('dialog').getByText('acme.other').waitFor();
      },
    ],
    [
      'uninstall dialog',
      async () => {
        await goTo(page, plugin);
        await page.getByRole('button', { name: t('plugin.more') }).click();
        await page.getByRole('menuitem', { name: t('plugin.uninstall') }).click();
      },
    ],
    [
      'file dialog',
      async () => {
        await goTo(page, plugin);
        await page.frameLocator('iframe').getByRole('button', { name: 'Read a file' }).click();
      },
    ],
  ];
}

async function cutWhenNarrow(
  page: Page,
  paths: readonly string[],
  language: Appearance['language'],
): Promise<string[]> {
  const wrong: string[] = [];
  await page.setViewportSize({ width: 700, height: 800 });
  for (const path of paths) {
    await goTo(page, path);
    const clipped = await clippedTexts(page, language === 'pseudo');
    wrong.push(...clipped.map((text) => `${path}: 700 px: ${text}`));
    if (language !== 'pseudo') await picture(`walk-${language}-narrow-${nameOf(path)}`);
  }
  return wrong;
}

/** The first launch, with the form of each database. */
async function walkWizard(how: Appearance): Promise<string[]> {
  const page = currentPage();
  const host = await hosts.start({ args: ['--web', '--port=0'] });
  await page.goto(await host.value('HOST_URL'));
  const choices = page.getByRole('radio');
  await choices.first().waitFor();
  await settled(page);
  const wrong: string[] = [];
  for (let index = 0; index < (await choices.count()); index += 1) {
    await choices.nth(index).click();
    await expect.poll(() => choices.nth(index).isChecked()).toBe(true);
    await settled(page);
    wrong.push(...(await inspect(page, `wizard ${index}`, how)));
  }
  return wrong;
}

test.describe('the first launch', () => {
  for (const how of appearances)
    test(`is accessible and complete, ${how.language} ${how.theme}`, async () => {
      test.setTimeout(limitMs);
      await renew(tagOf(how.language));
      if (how.language === 'pseudo') await speakPseudo(currentPage());
      // Without stored settings the page follows the system's colour scheme.
      await currentPage().emulateMedia({ colorScheme: how.theme });
      expect(await walkWizard(how)).toEqual([]);
    });
});

test.describe('every screen', () => {
  for (const how of appearances)
    test(`is accessible and complete, ${how.language} ${how.theme}`, async () => {
      test.setTimeout(limitMs);
      const page = currentPage();
      const host = await hosts.start({ args: ['--web', '--port=0', '--setup=SQLITE'] });
      const client = await host.client();
      const t = translations[how.language];
      const filled = await seedHost({ client, model: model(), web: web(), name: t, long: t });
      if (how.language === 'pseudo') await speakPseudo(page);
      await client.call(api.settings.put, {
        body: { theme: how.theme, language: tagOf(how.language) },
      });
      await page.goto(await host.value('HOST_URL'));
      await page.getByRole('navigation').waitFor();
      const wrong: string[] = [];
      for (const path of [...routes, ...filled]) {
        await goTo(page, path);
        wrong.push(...(await inspect(page, path, how)));
      }
      for (const [name, open] of await dialogs(page, how.language)) {
        await open();
        await page.getByRole('dialog').waitFor();
        await settled(page);
        wrong.push(...(await inspect(page, name, how)));
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      // The layout does not depend on the colours.
      if (how.theme === 'light')
        wrong.push(...(await cutWhenNarrow(page, [...routes, ...filled], how.language)));
      expect(wrong).toEqual([]);
    });
});
