import type { ConvertedPlugin } from './converted-plugin.ts';

const titles = {
  skills: { en: 'Skills', 'zh-CN': '技能' },
  commands: { en: 'Commands', 'zh-CN': '命令' },
  agents: { en: 'Agents', 'zh-CN': '代理' },
  hooks: { en: 'Hooks', 'zh-CN': '钩子' },
  mcpServers: { en: 'MCP servers', 'zh-CN': 'MCP 服务器' },
};

const intro = {
  en: 'This plugin has no page of its own. It brings:',
  'zh-CN': '此插件没有自己的页面。它包含：',
};

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (one) => `&#${String(one.codePointAt(0))};`);

/** A page that lists what is inside, with the script that it needs. */
export function contentsPage({ manifest, contents }: ConvertedPlugin): {
  html: string;
  script: string;
} {
  const lists = contents.map(
    ({ title, names }) =>
      `<section><h2 data-text="${title}"></h2><ul>${names.map((name) => `<li>${escaped(name)}</li>`).join('')}</ul></section>`,
  );
  const name = escaped(manifest.name);
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${name}</title>
<link rel="stylesheet" href="plugin-kit/page.css">
<script src="_host/plugin-client.js" defer></script>
<script src="plugin-kit/page.js" defer></script>
<script src="contents.js" defer></script>
</head>
<body><main>
<header><h1>${name}</h1><p>${escaped(manifest.description)}</p></header>
<p data-text="intro"></p>
${lists.join('\n')}
</main></body>
</html>
`;
  const textsOf = (language: 'en' | 'zh-CN'): object => ({
    intro: intro[language],
    ...Object.fromEntries(Object.entries(titles).map(([key, words]) => [key, words[language]])),
  });
  const texts = { en: textsOf('en'), 'zh-CN': textsOf('zh-CN') };
  const script = `'use strict';\nPluginPage.start({ texts: ${JSON.stringify(texts, null, 2)}, onReady: () => undefined });\n`;
  return { html, script };
}
