import { z } from 'zod';
import { type InEachLanguage, languageOf } from './languages.ts';

/** A package of this program, and all that the program and its page know of it. */
interface Build {
  name: InEachLanguage;
  /** The updater that installs a newer version. */
  updatedBy: 'deb-installer' | 'zip-installer' | 'desktop' | 'git';
  /** An update server of one's own may serve it. */
  ownServer: boolean;
  /** The version from before comes back where the new one does not start. */
  comesBack: boolean;
}

/** The update of one is not the update of another. How they are made: `scripts/package.ts`. */
export const builds = {
  'lite-deb': {
    name: { en: 'Lite package for Debian', 'zh-CN': 'Debian 精简包' },
    updatedBy: 'deb-installer',
    ownServer: true,
    comesBack: true,
  },
  deb: {
    name: { en: 'Desktop package for Debian', 'zh-CN': 'Debian 桌面包' },
    updatedBy: 'desktop',
    ownServer: false,
    comesBack: false,
  },
  zip: {
    name: { en: 'Portable zip for Linux', 'zh-CN': 'Linux 便携 zip' },
    updatedBy: 'zip-installer',
    ownServer: false,
    comesBack: true,
  },
  appimage: {
    name: { en: 'AppImage for Linux', 'zh-CN': 'Linux AppImage' },
    updatedBy: 'desktop',
    ownServer: false,
    comesBack: false,
  },
  rpm: {
    name: { en: 'Desktop package for Fedora and openSUSE', 'zh-CN': 'Fedora 与 openSUSE 桌面包' },
    updatedBy: 'desktop',
    ownServer: false,
    comesBack: false,
  },
  'win-setup': {
    name: { en: 'Installer for Windows', 'zh-CN': 'Windows 安装程序' },
    updatedBy: 'desktop',
    ownServer: false,
    comesBack: false,
  },
  'win-zip': {
    name: { en: 'Portable zip for Windows', 'zh-CN': 'Windows 便携 zip' },
    updatedBy: 'zip-installer',
    ownServer: true,
    comesBack: true,
  },
  'mac-zip': {
    name: { en: 'App for macOS', 'zh-CN': 'macOS 应用' },
    updatedBy: 'desktop',
    ownServer: false,
    comesBack: false,
  },
  dev: {
    name: { en: 'Runs from its sources', 'zh-CN': '从源代码运行' },
    updatedBy: 'git',
    ownServer: false,
    comesBack: false,
  },
} as const satisfies Record<string, Build>;

/** Which package this program is part of; `dev`: it runs from its sources. */
export const BuildKind = z.enum(Object.keys(builds) as (keyof typeof builds)[]);
export type BuildKind = z.output<typeof BuildKind>;

/** In English where the language has no name for it. */
export const buildName = (build: BuildKind, language: string): string =>
  builds[build].name[languageOf(language)];
