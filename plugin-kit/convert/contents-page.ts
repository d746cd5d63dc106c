import { languages } from '../../service/messages/languages.ts';
import { readLanguage, textIn } from '../../service/messages/localize.ts';
import { msg } from '../../service/messages/index.ts';
import type { ConvertedPlugin } from './converted-plugin.ts';

const messages = {
  intro: msg('contentsPage.intro'),
  skills: msg('contentsPage.skills'),
  commands: msg('contentsPage.commands'),
  agents: msg('contentsPage.agents'),
  hooks: msg('contentsPage.hooks'),
  mcpServers: msg('contentsPage.mcpServers'),
};

async function textsOf(language: string): Promise<[language: string, texts: object]> {
  await readLanguage(language);
  const texts = Object.entries(messages).map(([key, message]) => [key, textIn(language, message)]);
  return [language, Object.fromEntries(texts) as object];
}

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (one) => `&#${String(one.codePointAt(0))};`);

/** Returns a page that lists the plugin's contents, with its script. */
export async function contentsPage({ manifest, contents }: ConvertedPlugin): Promise<{
  html: string;
  script: string;
}> {
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
<script src="_host/plugin-client.js"></script>
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
  const texts = Object.fromEntries(await Promise.all(languages.map(textsOf))) as object;
  const script = `'use strict';\nPluginPage.start({ texts: ${JSON.stringify(texts, null, 2)}, onReady: () => undefined });\n`;
  return { html, script };
}
