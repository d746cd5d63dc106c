import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useFolder } from '../service/testing/use-for-file.ts';
import { makePlugin } from './cli/init.ts';
import { StartedPlugin } from './sandbox/start-plugin.ts';

const folder = await useFolder('templates-');

describe.each(['node', 'java', 'typescript'] as const)(
  'the page of a new plugin in %s',
  (runtime) => {
    let plugin: StartedPlugin;
    beforeAll(async () => {
      const directory = join(folder, runtime);
      await makePlugin({ directory, runtime, id: `com.example.${runtime}`, name: 'Words' });
      plugin = await StartedPlugin.start({ directory });
    });
    afterAll(() => plugin.close());

    test.each([
      {
        theme: 'light',
        locale: 'en',
        pick: 'Choose a file…',
        total: '3 words',
        save: 'Save as CSV…',
      },
      {
        theme: 'dark',
        locale: 'zh-CN',
        pick: '选择文件……',
        total: '3 个单词',
        save: '另存为 CSV……',
      },
    ] as const)(
      'counts a file and saves the result in $theme and $locale',
      async ({ theme, locale, pick, total, save }) => {
        const { frame, errors, exported, ...opened } = await plugin.page({ theme, locale });
        opened.pick(await plugin.grantText('a.txt', 'one two two'));
        await frame.getByRole('button', { name: pick }).click();
        await frame.getByText(total).waitFor();
        await frame.getByRole('button', { name: save }).click();
        await expect.poll(() => exported.length).toBe(1);
        const root = frame.locator('html');
        expect(await root.getAttribute('lang')).toBe(locale);
        expect(await root.getAttribute('data-theme')).toBe(theme);
        expect(errors).toEqual([]);
        await opened.close();
      },
    );
  },
);
