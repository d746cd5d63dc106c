import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../service/client/index.ts';
import { errorText } from './error-text.ts';
import { hostText, logText, problemText } from './problem-texts.ts';
import texts from './problems.zh-CN.json' with { type: 'json' };
import { setLanguage } from './translator.ts';

const root = join(import.meta.dirname, '../../..');

/** Of the page itself, not of the host: an answer that never came. */
const ofThePage = ['unreachable'];
/** Files that hand codes on to errors, and what stands there that is none. */
const handing = [
  'service/features/tools/browser/browser-sessions.ts',
  'service/platform/browser/chromium/chromium-thread.ts',
  'service/platform/browser/chromium/page-actions.ts',
  'service/platform/browser/chromium/thread-channel.ts',
  'service/features/models/try-backend.ts',
  'service/features/models/wire/to-host-error.ts',
  'service/features/plugins/call-errors.ts',
  'service/features/schedules/skips.ts',
  'service/features/marketplace/git/git.ts',
  'service/features/mcp/connection/mcp-connection.ts',
  'service/http/problems.ts',
  'service/http/read-input.ts',
  'service/platform/database/snapshots.ts',
];
const noCodes = ['cloud_c', 'invalid_union'];
/** Codes of one word in those files. */
const plainCodes = ['late'];

async function sourcesIn(folder: string): Promise<[file: string, text: string][]> {
  const files = await readdir(join(root, folder), { recursive: true });
  const sources = files.filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\//.test(file),
  );
  return Promise.all(
    sources.map(async (file) => {
      const path = join(folder, file);
      return [path, await readFile(join(root, path), 'utf8')] as [string, string];
    }),
  );
}

/** Every code that an answer of the host can bear, and the files that name one in another way than as a literal. */
async function codesOfTheHost(): Promise<{ codes: Set<string>; others: string[] }> {
  const codes = new Set<string>();
  const others: string[] = [];
  for (const [file, text] of [...(await sourcesIn('service')), ...(await sourcesIn('main'))]) {
    for (const { index } of text.matchAll(/new HostError\(/g)) {
      const [, code] = /^new HostError\(\s*'[a-z-]+',\s*'(\w+)'/.exec(text.slice(index)) ?? [];
      if (code === undefined) others.push(file);
      else codes.add(code);
    }
    if (!handing.includes(file)) continue;
    for (const [, code = ''] of text.matchAll(/'([a-z0-9]+(?:_[a-z0-9]+)+)'/g)) codes.add(code);
  }
  for (const none of noCodes) codes.delete(none);
  for (const code of plainCodes) codes.add(code);
  return { codes, others };
}

const failure = (code: string, detail: string) =>
  new ServiceError({ type: 'about:blank', title: 'Error', status: 400, detail, code });

describe('what went wrong in the host', () => {
  beforeAll(() => setLanguage('en'));

  it('has words for each code that it can have', async () => {
    const { codes, others } = await codesOfTheHost();
    expect(others.filter((file) => !handing.includes(file))).toEqual([]);
    expect(codes.size).toBeGreaterThan(150);
    const translatedCodes = new Set(Object.keys(texts.problem));
    const missing = [...codes].filter((code) => !translatedCodes.has(code));
    expect(missing).toEqual([]);
    const unused = [...translatedCodes].filter(
      (code) => !codes.has(code) && !ofThePage.includes(code),
    );
    expect(unused).toEqual([]);
    const foreign = Object.entries(texts.problem).filter(
      ([, text]) => !/\p{Script=Han}/u.test(text),
    );
    expect(foreign).toEqual([]);
  });

  it('is told in the words of the host in English, and by its code in Chinese', async () => {
    const full = failure('disk_full', 'The disk is full. Free some space and try again.');
    const git = failure('git_failed', 'It says $& {{detail}}.');
    const strange = failure('of_tomorrow', 'Something new.');
    expect(errorText(full).text).toBe('The disk is full. Free some space and try again.');
    await setLanguage('zh-CN');
    expect(errorText(full).text).toBe('磁盘已满。请释放一些空间，然后重试。');
    expect(errorText(git).text).toBe('无法使用该 Git 仓库：It says $& {{detail}}.');
    expect(errorText(strange).text).toBe('Something new.');
    expect(problemText('constructor', 'As it is.')).toBe('As it is.');
    const sentence = 'The source acme could not be read';
    expect(problemText('git_failed', sentence)).toBe('无法读取来源 acme');
    expect(hostText(sentence)).toBe('无法读取来源 acme');
    await setLanguage('en');
    expect(hostText(sentence)).toBe(sentence);
  });

  it('tell lines of the log, and leave in them what others said', async () => {
    await setLanguage('zh-CN');
    expect(logText('A turn failed: fetch failed')).toBe('一轮对话失败：fetch failed');
    expect(logText('The source acme could not be read: no route')).toBe(
      '无法读取来源 acme：no route',
    );
    expect(logText('acme.demo: The source acme could not be read')).toBe(
      'acme.demo: 无法读取来源 acme',
    );
    expect(logText('fatal: not a repository: gone')).toBe('fatal: not a repository: gone');
    await setLanguage('en');
    expect(logText('A turn failed: fetch failed')).toBe('A turn failed: fetch failed');
  });
});
