import { addPlugin, makeInspection, makeLog, makeNotification } from './fake-host.ts';
import { ShellBrowser } from './shell-browser.ts';
const all = new Set<string>();
function contrast() {
  const c = document.createElement('canvas');
  c.width = c.height = 1;
  const g = c.getContext('2d', { willReadFrequently: true })!;
  const rgba = (v: string) => {
    g.clearRect(0, 0, 1, 1);
    g.fillStyle = '#000';
    g.fillStyle = v;
    g.fillRect(0, 0, 1, 1);
    const d = g.getImageData(0, 0, 1, 1).data;
    return [d[0]!, d[1]!, d[2]!, d[3]! / 255];
  };
  const over = (a: number[], b: number[]) =>
    [0, 1, 2].map((i) => a[i]! * a[3]! + b[i]! * (1 - a[3]!)).concat(1);
  const lum = (q: number[]) => {
    const f = q.slice(0, 3).map((v) => {
      v /= 255;
      return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * f[0]! + 0.7152 * f[1]! + 0.0722 * f[2]!;
  };
  const res: string[] = [];
  for (const el of document.querySelectorAll('body *')) {
    if (![...el.childNodes].some((n) => n.nodeType === 3 && n.textContent!.trim())) continue;
    const r = el.getBoundingClientRect();
    if (!r.width || !r.height) continue;
    const st = getComputedStyle(el);
    if (st.visibility === 'hidden' || (el as any).closest('svg,[disabled],[data-disabled]'))
      continue;
    const chain = [];
    for (let e: Element | null = el; e; e = e.parentElement)
      chain.push(rgba(getComputedStyle(e).backgroundColor));
    let bg = [255, 255, 255, 1];
    for (const x of chain.reverse()) bg = over(x, bg);
    const fg = over(rgba(st.color), bg);
    const [a, b] = [lum(fg), lum(bg)].sort((x, y) => y - x) as [number, number];
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5)
      res.push(
        document.documentElement.dataset['mantineColorScheme'] +
          ' ' +
          ratio.toFixed(2) +
          ' ' +
          el.className +
          ' ' +
          el.textContent!.slice(0, 30),
      );
  }
  return res;
}
const out = '/tmp/shots/';
const demo = `<!doctype html><html><head><style>body{font:14px system-ui;margin:24px;}</style><script src="_host/plugin-client.js"></script></head><body><h2>Words</h2><p>Counts the words of a text.</p><textarea rows=6 cols=60>The quick brown fox</textarea><p><button>Count</button></p><script src="page.js"></script></body></html>`;
const b = await ShellBrowser.start();
async function fill(s: any) {
  addPlugin(s.host, 'com.example.words', {
    name: 'Words',
    version: '1.2.0',
    page: demo,
    state: 'running',
    author: 'Example',
    description: 'Counts words and characters.',
    permissions: ['files.read', 'notifications'],
  });
  s.host.pages.set(
    'com.example.words/page.js',
    `PluginClient.ready().then(f=>{document.body.append(JSON.stringify(f)); if(f.theme==='dark'){document.body.style.background='#1b1e23';document.body.style.color='#eee'} return PluginClient.invoke('count',{text:'a b'})}).then(r=>document.body.append(JSON.stringify(r)),e=>document.body.append('ERR '+e.message))`,
  );
  addPlugin(s.host, 'com.example.charts', {
    name: 'Charts and tables for everyone who likes long names',
    enabled: false,
  });
  addPlugin(s.host, 'org.sample.ocr', {
    name: 'Text recognition',
    state: 'missing_runtime',
    stateReason:
      'Java was not found. Text recognition needs it to run. Install Java 17 or newer, then press Retry.',
  });
  addPlugin(s.host, 'net.demo.notes', { name: '笔记', state: 'stopped' });
  addPlugin(s.host, 'io.sql', {
    name: 'SQL console',
    state: 'quarantined',
    stateReason: 'The worker crashed three times within a minute.',
  });
  s.host.dataSizeBytes.set('com.example.words', 12_400_000);
  for (let i = 1; i < 60; i++)
    (
      s.host.logs.get('com.example.words') ??
      s.host.logs.set('com.example.words', []).get('com.example.words')
    ).push(
      makeLog(i, {
        level: ['INFO', 'DEBUG', 'WARN', 'ERROR', 'INFO'][i % 5]!,
        message:
          i % 7 === 0
            ? 'A longer message that has to wrap because it says a lot about what is going on in the worker'
            : `Counted ${i} words`,
      }),
    );
  s.host.notifications = [
    makeNotification({
      title: 'SQL console was stopped',
      body: 'It crashed three times within a minute. Enable it again to retry.',
      level: 'error',
      link: '/plugins/io.sql',
      source: 'host',
    }),
    makeNotification({
      title: 'Counting is done',
      body: '4 512 words in 12 files.',
      level: 'success',
      source: 'plugin:com.example.words',
      createdAt: new Date(Date.now() - 3600e3 * 5).toISOString(),
    }),
    makeNotification({
      title: 'Release notes',
      level: 'info',
      link: 'https://example.org/notes',
      read: true,
      createdAt: new Date(Date.now() - 86400e3 * 2).toISOString(),
    }),
  ];
  s.host.packages.set(
    'words.plugin',
    makeInspection({
      version: '1.1.0',
      installed: true,
      installedVersion: '1.2.0',
      comparison: 'downgrade',
      permissions: ['files.read', 'network', 'notifications'],
      addedPermissions: ['network'],
    }),
  );
}
for (const [name, opt] of Object.entries({
  light: { theme: 'light', language: 'en', w: 1280 },
  dark: { theme: 'dark', language: 'en', w: 1280 },
  zh: { theme: 'light', language: 'zh-CN', w: 1280 },
  narrow: { theme: 'light', language: 'en', w: 700 },
  tiny: { theme: 'dark', language: 'en', w: 420 },
})) {
  const { page, service, faults } = await b.open({ width: opt.w, height: 780 });
  await fill(service);
  Object.assign(service.host.settings, {
    theme: opt.theme,
    language: opt.language,
    pinnedPlugins: name === 'dark' ? ['com.example.words'] : [],
  });
  const shot = async (n: string) => {
    await page.screenshot({ path: `${out}${name}-${n}.png` });
    const bad = await page.evaluate(contrast);
    for (const x of bad) all.add(n + ' ' + x);
  };
  await page.goto(service.ticketUrl());
  await page.waitForSelector('.row');
  await page.waitForTimeout(300);
  await shot('0-list');
  await page.locator('.row', { hasText: 'Words' }).click();
  await page.waitForTimeout(900);
  await shot('1-page');
  await page.locator('.toolbar button', { has: page.locator('svg.tabler-icon-file-text') }).click();
  await page.waitForTimeout(500);
  await shot('2-logs');
  await page.keyboard.press('Escape');
  if (await page.locator('.details').count())
    await page.locator('.details-head button').last().click();
  if (name === 'light' || name === 'narrow') {
    await page.goto(service.url + '/#/plugins/org.sample.ocr');
    await page.waitForTimeout(500);
    await shot('3-trouble');
    await page.goto(service.url + '/#/plugins/com.example.charts');
    await page.waitForTimeout(500);
    await shot('4-disabled');
    await page.goto(service.url + '/#/plugins/com.example.words');
    await page.waitForTimeout(300);
  }
  await page.locator('.status-item').last().click();
  await page.waitForTimeout(400);
  await shot('5-bell');
  await page.keyboard.press('Escape');
  await page.waitForTimeout(300);
  await page.keyboard.press('Control+k');
  await page.waitForTimeout(400);
  await shot('6-palette');
  await page.keyboard.press('Escape');
  await page.waitForTimeout(300);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    (async () => {
      await page.keyboard.press('Control+k');
      await page.waitForTimeout(200);
      await page.keyboard.type(opt.language === 'en' ? 'install' : '安装');
      await page.keyboard.press('Enter');
    })(),
  ]);
  await chooser.setFiles([
    { name: 'words.plugin', mimeType: 'application/zip', buffer: Buffer.from('x') },
  ]);
  await page.waitForTimeout(700);
  await shot('7-install');
  await page.keyboard.press('Escape');
  await page.waitForTimeout(300);
  await page.locator('.toolbar button').last().click();
  await page.waitForTimeout(300);
  await shot('8-menu');
  await page.locator('.danger-item').click();
  await page.waitForTimeout(500);
  await shot('9-uninstall');
  await page.keyboard.press('Escape');
  await page.waitForTimeout(300);
  await page.keyboard.press('Control+,');
  await page.waitForTimeout(400);
  await shot('a-settings');
  await service.stop();
  service.dropStreams();
  await page.waitForTimeout(1500);
  await shot('b-offline');
  console.log(name, faults);
  await b.closePages();
}
{
  const { page, service, faults } = await b.open({ width: 1000, height: 760 });
  await page.goto(service.url);
  await page.waitForTimeout(600);
  await page.screenshot({ path: out + 'token.png' });
  await page.getByLabel('Token', { exact: true }).fill('nope');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(500);
  await page.screenshot({ path: out + 'token-wrong.png' });
  service.host.setup = {
    ...service.host.setup,
    initialized: false,
    reason: {
      code: 'x',
      message: 'The database at db.example did not answer.',
      at: new Date().toISOString(),
    },
    previous: { type: 'MYSQL', backup: 'datasource.properties.bak' },
  };
  await page.goto(service.ticketUrl() + 'x');
  await page.reload();
  await page.waitForTimeout(800);
  await page.screenshot({ path: out + 'setup.png', fullPage: true });
  await page.getByText('PostgreSQL').click();
  await page.getByRole('textbox', { name: 'Host' }).fill('db.example');
  await page.getByRole('button', { name: /Test/ }).click();
  await page.waitForTimeout(500);
  await page.screenshot({ path: out + 'setup-pg.png' });
  console.log('start', faults);
}
await b.stop();
console.log([...all].join('\n'));
