import type { BrowserWindow } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { app, asked, dialog, resetElectron } from '../testing/stand-in/electron.ts';
import { answerBridge } from './bridge.ts';
import { ChosenPaths } from './chosen-paths.ts';
import { DesktopParts } from './desktop-parts.ts';
import { choosePath, chooseTarget } from './file-dialogs.ts';
import { answer } from './ipc.ts';
import { menuOf } from './menu.ts';
import { mayRequest } from './network-lock.ts';
import { externalAddress, openExternal } from './open-external.ts';
import { packagesIn } from './opened-files.ts';
import { Saves } from './saves.ts';
import { refusedSwitches, refuseSwitches } from './switches.ts';
import { WindowNews } from './window-news.ts';
import { readLanguage } from './desktop-text.ts';

vi.mock('electron', () => import('../testing/stand-in/electron.ts'));

beforeEach(resetElectron);

const shellFrame = { url: 'app://shell/' };
const shellWindow = { webContents: { mainFrame: shellFrame } };
const call = (channel: string, senderFrame: unknown, input: unknown): unknown =>
  asked.ipc.get(channel)?.({ senderFrame }, input);

describe('what a page asks the main process', () => {
  const strangers: [string, unknown][] = [
    ['a frame that is gone', null],
    ['a frame of a plugin', { url: 'http://127.0.0.1:24056/plugin-runtime/a/ui/index.html' }],
    ['a frame that shows the shell', { url: 'app://shell/' }],
    ['another window', { url: 'app://shell/index.html' }],
    ['an address that begins like the shell', { url: 'app://shell.evil/' }],
  ];

  it('is answered for the main frame of the shell only', () => {
    const inputs: unknown[] = [];
    answer(
      () => shellWindow,
      'test',
      z.strictObject({ a: z.string() }),
      (value) => {
        inputs.push(value);
        return 'answered';
      },
    );
    expect(call('test', shellFrame, { a: 'b' })).toBe('answered');
    for (const [, frame] of strangers)
      expect(() => call('test', frame, { a: 'b' })).toThrow('Not for this page.');
    expect(inputs).toEqual([{ a: 'b' }]);
  });

  it('is refused if the main frame has navigated away, and if there is no window', () => {
    const mainFrame = { url: 'https://example.org/' };
    answer(
      () => ({ webContents: { mainFrame } }),
      'left',
      z.unknown(),
      () => 'answered',
    );
    expect(() => call('left', mainFrame, {})).toThrow('Not for this page.');
    answer(
      () => null,
      'none',
      z.unknown(),
      () => 'answered',
    );
    expect(() => call('none', shellFrame, {})).toThrow('Not for this page.');
  });

  it('has the declared shape, on every channel', () => {
    answerBridge({
      window: () => shellWindow as unknown as BrowserWindow,
      chosen: new ChosenPaths(),
      saves: new Saves(),
      news: new WindowNews(() => undefined),
      language: () => 'en',
    });
    expect([...asked.ipc.keys()].sort()).toMatchInlineSnapshot(`
      [
        "host:choose-save",
        "host:dropped",
        "host:end-save",
        "host:facts",
        "host:open-external",
        "host:pick-path",
        "host:ready",
        "host:write-save",
      ]
    `);
    const wrong = [undefined, null, 'text', 7, [], {}, { path: 7 }, { id: 'x', bytes: 'text' }];
    for (const channel of asked.ipc.keys())
      for (const input of [...wrong, { kind: 'file', more: 1 }, { address: { href: 'a' } }]) {
        // `host:facts` is the one channel without arguments.
        if (channel === 'host:facts' && JSON.stringify(input) === '{}') continue;
        expect(() => call(channel, shellFrame, input)).toThrow('That cannot be understood.');
      }
    expect(asked.dialogs).toEqual([]);
  });
});

describe('an address', () => {
  it.each([
    ['https://example.org/a?b#c', true],
    ['http://example.org/', true],
    ['mailto:someone@example.org', true],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
    ['data:text/html,hello', false],
    ['smb://server/share', false],
    ['ms-msdt:/id', false],
    ['\\\\host\\share', false],
    ['https://user@example.org/', false],
    ['https://user:word@example.org/', false],
    ['app://shell/', false],
    ['vbscript:x', false],
    ['search-ms:query', false],
    ['', false],
    [`https://example.org/${'a'.repeat(3_000)}`, false],
  ])('%j may be opened outside: %j', async (address, allowed) => {
    expect(externalAddress(address) !== null).toBe(allowed);
    asked.answers.push(0);
    expect(await openExternal(shellWindow as unknown as BrowserWindow, address)).toBe(allowed);
    expect(asked.opened).toEqual(allowed ? [address] : []);
    expect(asked.dialogs).toHaveLength(allowed ? 1 : 0);
  });

  it('is not opened if the person declines', async () => {
    asked.answers.push(1);
    expect(
      await openExternal(shellWindow as unknown as BrowserWindow, 'https://example.org/'),
    ).toBe(false);
    expect(asked.opened).toEqual([]);
  });
});

describe('what a person is asked', () => {
  const window = shellWindow as unknown as BrowserWindow;
  const ask = {
    'an address': () => openExternal(window, 'https://example.org/'),
    'a path': () => choosePath(window, 'file', new ChosenPaths()),
    'a place to save': () => chooseTarget(window, 'a.txt'),
  };

  it.each(Object.entries(ask))(
    'is one question at a time, however often a page asks for %s',
    async (_name, first) => {
      const answers = [first(), ...Object.values(ask).map((next) => next()), first()];
      expect(asked.dialogs).toHaveLength(1);
      const [, ...refused] = await Promise.all(answers);
      expect(refused.filter(Boolean)).toEqual([]);
      await first();
      expect(asked.dialogs).toHaveLength(2);
    },
  );

  it('can be asked again where the system failed to show it', async () => {
    const failing = vi.spyOn(dialog, 'showOpenDialog').mockRejectedValue(new Error('no dialog'));
    await expect(ask['a path']()).rejects.toThrow('no dialog');
    failing.mockRestore();
    asked.answers.push(['/home/a']);
    expect(await ask['a path']()).toBe('/home/a');
  });
});

describe('the network of the window', () => {
  const service = 'http://127.0.0.1:24056';
  it.each([
    ['app://shell/index.html', true],
    [`${service}/plugin-runtime/a/ui/index.html`, true],
    ['data:image/png;base64,AA', true],
    ['blob:app://shell/1', true],
    ['app://other/', false],
    ['http://127.0.0.1:24057/', false],
    ['http://localhost:24056/', false],
    ['https://127.0.0.1:24056/', false],
    ['http://127.0.0.1:24056@evil.test/', false],
    ['http://127.0.0.1.evil.test:24056/', false],
    ['https://example.org/', false],
    ['ws://127.0.0.1:24056/', false],
    ['file:///etc/passwd', false],
    ['ftp://127.0.0.1/', false],
    ['', false],
  ])('lets %j through: %j', (address, allowed) => {
    expect(mayRequest(address, service)).toBe(allowed);
  });

  it('is closed before there is a service', () => {
    expect(mayRequest(`${service}/`, '')).toBe(false);
  });
});

describe('a packaged app', () => {
  it.each(refusedSwitches.map((name) => [name]))('refuses --%s', (name) => {
    app.switches.add(name);
    expect(refuseSwitches).not.toThrow();
    app.isPackaged = true;
    expect(refuseSwitches).toThrow(`--${name} cannot be used with this app.`);
  });

  it('starts without them', () => {
    app.isPackaged = true;
    expect(refuseSwitches).not.toThrow();
  });
});

describe('the command line of another start', () => {
  it('opens packages, and ignores everything else in it', () => {
    const args = ['electron', '--token=x', '--no-sandbox', 'a.plugin', '/b/c.plugin', 'd.txt'];
    expect(packagesIn(args, '/home/me')).toEqual(['/home/me/a.plugin', '/b/c.plugin']);
    const addresses = [
      'file:///a%20b/c.plugin',
      'file://server/share/d.plugin',
      'file:///%00.plugin',
    ];
    expect(packagesIn(['electron', ...addresses], '/home/me')).toEqual(['/a b/c.plugin']);
    expect(packagesIn(['electron', 'C.PLUGIN'], '/home/me')).toEqual(['/home/me/C.PLUGIN']);
    expect(packagesIn(['electron', '--x.plugin', 'a\0.plugin'], '/home/me')).toEqual([]);
  });

  it('adds its packages to the recent files of the system', () => {
    new DesktopParts(() => undefined).takeArguments(
      ['electron', '/home/me/a.plugin', '/b.txt'],
      '/',
    );
    expect(asked.recent).toEqual(['/home/me/a.plugin']);
  });

  it("may be long: arguments beyond a path's length and after the hundredth are ignored", () => {
    const long = `/${'a'.repeat(100_000)}.plugin`;
    const many = Array.from({ length: 200 }, (_, index) => `/${index}.plugin`);
    expect(packagesIn(['electron', long, '/a.plugin'], '/')).toEqual(['/a.plugin']);
    expect(packagesIn(['electron', ...many], '/')).toHaveLength(99);
  });
});

describe('the page of the window', () => {
  it('receives queued messages in order once it listens, and again after a reload', () => {
    const sent: string[] = [];
    const news = new WindowNews((channel, value) => sent.push(`${channel} ${value}`));
    news.send('a', '1');
    news.send('b', '2');
    news.subscribe('a');
    news.send('a', '3');
    expect(sent).toEqual(['a 1', 'a 3']);
    news.reset();
    news.send('a', '4');
    expect(sent).toHaveLength(2);
    news.subscribe('a');
    news.subscribe('b');
    expect(sent).toEqual(['a 1', 'a 3', 'a 4', 'b 2']);
  });
});

describe('the menus', () => {
  it('are those of each platform, in the language of the person', async () => {
    await readLanguage('zh-CN');
    const labels = (language: string, platform: NodeJS.Platform) =>
      menuOf(language, platform).map(({ label, role }) => label ?? role);
    expect(labels('en', 'linux')).toEqual(['File', 'Edit', 'View']);
    expect(labels('zh-CN', 'win32')).toEqual(['文件', '编辑', '视图']);
    expect(labels('en', 'darwin')).toEqual(['appMenu', 'Edit', 'View', 'Window']);
    const roles = JSON.stringify(menuOf('en', 'linux'));
    for (const role of ['zoomIn', 'zoomOut', 'resetZoom']) expect(roles).toContain(`"${role}"`);
    expect(roles).not.toMatch(/toggleDevTools|reload/i);
  });
});
