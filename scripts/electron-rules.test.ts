import { ESLint, Linter } from 'eslint';
import { join } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error The configuration of ESLint is plain JavaScript.
import { rulesFor } from '../eslint.electron.mjs';

const rulesOf = rulesFor as (file: string) => Linter.RulesRecord;
const linter = new Linter();
const violations = (code: string, file = 'main/desktop/tray.ts'): string[] =>
  linter.verify(code, { rules: rulesOf(file) }).map(({ message }) => message);

it.each([
  ['main/desktop/window.ts', 'new BrowserWindow({})'],
  ['main/desktop/window.ts', 'new WebContentsView({})'],
  ['main/desktop/ipc.ts', `ipcMain.handle('a', () => 1)`],
  ['main/desktop/ipc.ts', `ipcMain.on('a', () => 1)`],
  ['main/desktop/open-external.ts', `shell.openExternal('https://example.org')`],
  ['main/desktop/open-external.ts', `shell.openPath('/a')`],
  ['main/desktop/browser/model-page.ts', 'window.webContents.debugger.attach()'],
  ['main/desktop/browser/model-page.ts', 'contents.debugger.attach()'],
])('only %s may do %j', (file, code) => {
  expect(violations(code)).toHaveLength(1);
  expect(violations(code, file)).toEqual([]);
});

it.each([
  ['const a = { nodeIntegration: true }'],
  ['const a = { webviewTag: true }'],
  ['const a = { allowRunningInsecureContent: true }'],
  ['const a = { bypassCSP: true }'],
  ['const a = { contextIsolation: false }'],
  ['const a = { sandbox: false }'],
  ['const a = { webSecurity: false }'],
  [`const a = { enableBlinkFeatures: 'X' }`],
  [`contents.executeJavaScript('1')`],
  ['session.setCertificateVerifyProc(() => 0)'],
  [`app.setAsDefaultProtocolClient('x')`],
  [`app.commandLine.appendSwitch('no-sandbox')`],
  [`app.on('certificate-error', () => 1)`],
  [`eval('1')`],
  [`new Function('1')`],
  [`fetch('http://example.org/')`],
  [`readFileSync('/a')`],
  [`fs.readFileSync('/a')`],
  [`dialog.showErrorBox('a', 'b')`],
  [`import { fork } from 'node:child_process';`],
  [`import { net } from 'electron';`],
])('no file of the main process may do %j', (code) => {
  for (const file of ['main/desktop/window.ts', 'main/desktop/ipc.ts', 'preload/index.ts'])
    expect(violations(code, file)).toHaveLength(1);
});

it('code that keeps a page in its place is allowed', () => {
  const code = `const a = { contextIsolation: true, sandbox: true, nodeIntegration: false };
    fetch('http://127.0.0.1:1/');`;
  expect(violations(code)).toEqual([]);
});

it('the same rules are applied to the files of the main process, and none of the service blocks', async () => {
  const eslint = new ESLint({ cwd: join(import.meta.dirname, '..') });
  const selectorsOf = async (file: string): Promise<string[]> => {
    const { rules } = (await eslint.calculateConfigForFile(file)) as Linter.Config;
    const [, ...restrictions] = rules?.['no-restricted-syntax'] as [unknown, ...object[]];
    return restrictions.map((one) => (one as { selector: string }).selector);
  };
  for (const file of ['main/desktop/window.ts', 'main/launch.ts', 'preload/index.ts']) {
    const [, ...expected] = rulesOf(file)['no-restricted-syntax'] as [string, ...object[]];
    const selectors = expected.map((one) => (one as { selector: string }).selector);
    expect(await selectorsOf(file), file).toEqual(selectors);
  }
  for (const file of ['service/platform/paths.ts', 'service/features/chat/routes.ts'])
    expect(await selectorsOf(file), file).toContain('CallExpression[callee.name=/Sync$/]');
});
