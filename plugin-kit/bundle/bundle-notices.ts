import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const licenseFile = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i;
const line = '-'.repeat(72);

/**
 * Returns the folders of the npm packages that the modules belong to, without the plugin itself.
 */
export function packageFolders(modules: readonly string[]): string[] {
  const folders = modules.flatMap((id) => {
    const found = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id);
    return id.startsWith('\0') || found?.[1] === undefined ? [] : [found[1]];
  });
  return [...new Set(folders)];
}

interface LicenseText {
  title: string;
  text: string;
}

/**
 * Returns the npm packages in a bundle with their license texts, which most licenses require. The
 * same packages give the same text. Null without packages.
 */
export async function bundleNotices(folders: readonly string[]): Promise<string | null> {
  const notices = (await Promise.all([...new Set(folders)].map(licenseTextOf))).sort((a, b) =>
    a.title < b.title ? -1 : 1,
  );
  if (notices.length === 0) return null;
  const titles = [...new Set(notices.map(({ title }) => title))];
  const byText = Map.groupBy(notices, ({ text }) => text);
  const texts = [...byText].map(([text, those]) => {
    const names = [...new Set(those.map(({ title }) => title))];
    return [...names, '', text].join('\n');
  });
  const intro = 'This plugin contains these packages, each under its own license.';
  return `${[intro, titles.join('\n'), ...texts].join(`\n\n${line}\n\n`)}\n`;
}

async function licenseTextOf(folder: string): Promise<LicenseText> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    name?: string;
    version?: string;
    license?: string;
    author?: string | { name?: string };
  };
  const { name = basename(folder), version = '', license = 'license not named', author } = manifest;
  const files = (await readdir(folder)).filter((file) => licenseFile.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const holder = typeof author === 'string' ? author : author?.name;
  const text = texts.map((one) => one.replaceAll('\r\n', '\n').trim()).join('\n\n');
  return {
    title: `${name} ${version} (${license})`,
    text: text === '' ? `${license}${holder === undefined ? '' : `, by ${holder}`}` : text,
  };
}
