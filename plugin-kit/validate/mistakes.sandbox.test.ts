import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { useFolder } from '../../service/testing/use-for-file.ts';
import { makePlugin } from '../cli/init.ts';
import { validatePlugin } from './validate-plugin.ts';

const folder = await useFolder('mistakes-');
const fresh = join(folder, 'fresh');
beforeAll(() =>
  makePlugin({ directory: fresh, runtime: 'node', id: 'com.example.words', name: 'Words' }),
);

interface Mistake {
  name: string;
  /** Replaces text in a file; null deletes the file. */
  change: [file: string, from: string | RegExp | null, to?: string];
  severity?: 'warning';
  code: string;
  /** Expected position as `file:line`, if there is one. */
  at?: string;
  message: RegExp;
  suggests?: string;
}

const manifest = 'manifest.json';
const worker = 'backend/worker.mjs';
const page = 'ui/index.html';
const script = 'ui/main.js';
const texts = 'ui/texts.js';

const mistakes: Mistake[] = [
  {
    name: 'a comma too many',
    change: [manifest, '"category": "documents",', '"category": "documents",,'],
    code: 'manifest_json',
    at: 'manifest.json:7',
    message: /not JSON/,
  },
  {
    name: 'no id',
    change: [manifest, '"id": "com.example.words",', ''],
    code: 'manifest_field',
    at: 'manifest.json:1',
    message: /id is required.*com\.example/,
  },
  {
    name: 'an id in capitals',
    change: [manifest, 'com.example.words"', 'Words"'],
    code: 'manifest_field',
    at: 'manifest.json:3',
    message: /id must be lower case/,
  },
  {
    name: 'an id of the host',
    change: [manifest, '"com.example.words"', '"host.words"'],
    code: 'reserved_identity',
    at: 'manifest.json:3',
    message: /kept for plugins that come with the host\. Take a name of your own/,
  },
  {
    name: 'official',
    change: [manifest, '"icon"', '"official": true, "icon"'],
    code: 'reserved_identity',
    message: /official is kept.*Remove it/,
  },
  {
    name: 'a version that is not semver',
    change: [manifest, '"0.1.0"', '"1.0"'],
    code: 'manifest_field',
    at: 'manifest.json:5',
    message: /must be a semantic version such as 1\.2\.0/,
  },
  {
    name: 'a permission that is misspelled',
    change: [manifest, '"files.read"', '"file.read"'],
    code: 'manifest_field',
    at: 'manifest.json:9',
    message: /permissions\.0/,
    suggests: 'files.read',
  },
  {
    name: 'permission instead of permissions',
    change: [manifest, '"permissions"', '"permission"'],
    severity: 'warning',
    code: 'unknown_field',
    at: 'manifest.json:9',
    message: /is unknown and has no effect/,
    suggests: 'permissions',
  },
  {
    name: 'a tool of a method that is not there',
    change: [manifest, '"method": "count"', '"method": "cuont"'],
    code: 'unknown_method',
    message: /no method of the manifest\. Add it to methods, or correct the name/,
    suggests: 'count',
  },
  {
    name: 'a node of a tool that is not there',
    change: [manifest, '"tool": "count_words"', '"tool": "count_word"'],
    severity: 'warning',
    code: 'manifest_warning',
    message: /refers to a tool that is not in aiTools/,
    suggests: 'count_words',
  },
  {
    name: 'an effect that is none',
    change: [manifest, '"effect": "read"', '"effect": "reads"'],
    code: 'manifest_field',
    message: /effect/,
    suggests: 'read',
  },
  {
    name: 'a widget that is none',
    change: [manifest, '"widget": "select"', '"widget": "selct"'],
    severity: 'warning',
    code: 'manifest_warning',
    message: /not a widget of the host/,
    suggests: 'select',
  },
  {
    name: 'options of a method that is not there',
    change: [manifest, '"method": "orders"', '"method": "order"'],
    severity: 'warning',
    code: 'manifest_warning',
    message: /refers to a method that does not exist/,
    suggests: 'orders',
  },
  {
    name: 'a type that JSON Schema does not know',
    change: [manifest, '"type": "object",', '"type": "objekt",'],
    code: 'schema_invalid',
    message: /methods\.count\.params\.type is not a JSON Schema/,
    suggests: 'object',
  },
  {
    name: 'a runtime that is none',
    change: [manifest, '"runtime": "node"', '"runtime": "nodejs"'],
    code: 'manifest_field',
    message: /worker\.runtime/,
    suggests: 'node',
  },
  {
    name: 'a Node worker without a runtime',
    change: [manifest, '"worker": { "runtime": "node" },', ''],
    code: 'file_missing',
    message: /backend\/worker\.jar, which is not there.*"runtime": "node"/,
    suggests: 'backend/worker.mjs',
  },
  {
    name: 'a host of the future',
    change: [manifest, '"icon"', '"minHostVersion": "99.0.0", "icon"'],
    code: 'host_too_old',
    message: /asks for 99\.0\.0.*Lower it, or take a newer kit/,
  },
  {
    name: 'an icon that is not there',
    change: ['ui/icon.svg', null],
    severity: 'warning',
    code: 'icon_missing',
    at: 'manifest.json:8',
    message: /icon names ui\/icon\.svg, which is not there/,
  },
  {
    name: 'no manifest',
    change: [manifest, null],
    code: 'manifest_missing',
    message: /no manifest\.json.*init/,
  },
  {
    name: 'no page',
    change: [page, null],
    code: 'file_missing',
    message: /ui\/index\.html, which is not there/,
  },
  {
    name: 'no worker',
    change: [worker, null],
    code: 'file_missing',
    message: /backend\/worker\.mjs, which is not there/,
  },
  {
    name: 'a method that the worker does not register',
    change: [worker, ".method('orders'", ".method('order'"],
    code: 'method_not_registered',
    at: 'manifest.json:39',
    message: /does not register it\. Register it with \.method\('orders'/,
    suggests: 'order',
  },
  {
    name: 'a method that the manifest does not declare',
    change: [worker, ".method('orders'", ".method('extra', () => 1)\n  .method('orders'"],
    severity: 'warning',
    code: 'method_not_declared',
    at: 'backend/worker.mjs:29',
    message: /not in the manifest.*Add it to methods/,
  },
  {
    name: 'a worker that cannot be read',
    change: [worker, "import { join } from 'node:path';", "import { join from 'node:path';"],
    code: 'script_invalid',
    at: 'backend/worker.mjs:2',
    message: /cannot be read/,
  },
  {
    name: 'a worker that throws at its start',
    change: [worker, 'let shortest = 1;', 'let shortest = undefined.length;'],
    code: 'worker_failed',
    at: 'backend/worker.mjs:6',
    message: /ended with exit code 1[^]*TypeError/,
  },
  {
    name: 'a worker that does not run',
    change: [worker, /\n {2}\.run\(\);/, ';'],
    code: 'worker_failed',
    message: /Was run\(\) called/,
  },
  {
    name: 'an import without its ending',
    change: [worker, './count-words.mjs', './count-words'],
    code: 'import_missing',
    at: 'backend/worker.mjs:4',
    message: /with the ending of the file/,
    suggests: './count-words.mjs',
  },
  {
    name: 'a package that is not installed',
    change: [worker, 'let shortest', "import papaparse from 'papaparse';\nlet shortest"],
    code: 'import_missing',
    at: 'backend/worker.mjs:6',
    message: /npm install papaparse/,
  },
  {
    name: 'a script in the page',
    change: [page, '<body>', '<body><script>start();</script>'],
    severity: 'warning',
    code: 'page_blocked',
    at: 'ui/index.html:14',
    message: /Move it to a file of the package/,
  },
  {
    name: 'a handler in the page',
    change: [page, '<button id="pick"', '<button onclick="pick()" id="pick"'],
    severity: 'warning',
    code: 'page_blocked',
    message: /addEventListener/,
  },
  {
    name: 'a form in the page',
    change: [page, '<p id="error"', '<form></form><p id="error"'],
    severity: 'warning',
    code: 'page_blocked',
    message: /a form, which a page in the host cannot submit\. Use a button/,
  },
  {
    name: 'a style of another machine',
    change: [page, 'href="icon.svg"', 'href="https://cdn.example.com/a.css"'],
    severity: 'warning',
    code: 'page_blocked',
    message: /Add it to the package/,
  },
  {
    name: 'a script from the root',
    change: [page, 'src="main.js"', 'src="/main.js"'],
    severity: 'warning',
    code: 'page_blocked',
    message: /Use a relative one/,
  },
  {
    name: 'a script of the page that is not there',
    change: [page, 'src="texts.js"', 'src="text.js"'],
    severity: 'warning',
    code: 'page_file_missing',
    at: 'ui/index.html:11',
    message: /text\.js, which is not there/,
    suggests: 'texts.js',
  },
  {
    name: 'a script of the page that cannot be read',
    change: [script, 'let file = null;', 'let file = ;'],
    code: 'script_invalid',
    at: 'ui/main.js:5',
    message: /cannot be read/,
  },
  {
    name: 'fetch in the page',
    change: [script, 'let file = null;', "let file = null; fetch('https://example.com');"],
    severity: 'warning',
    code: 'script_blocked',
    at: 'ui/main.js:5',
    message: /fetch is blocked.*PluginClient\.invoke/,
  },
  {
    name: 'storage in the page',
    change: [script, 'let file = null;', "let file = localStorage.getItem('file');"],
    severity: 'warning',
    code: 'script_blocked',
    at: 'ui/main.js:5',
    message: /localStorage is blocked.*data directory/,
  },
  {
    name: 'a method that the page misspells',
    change: [script, 'let file = null;', "let file = null; PluginClient.invoke('cuont', {});"],
    severity: 'warning',
    code: 'unknown_method',
    at: 'ui/main.js:5',
    message: /calls cuont, which is no method of the manifest/,
    suggests: 'count',
  },
  {
    name: 'a field of a node that its tool does not require',
    change: [manifest, '{ "name": "file", "label"', '{ "name": "fiel", "label"'],
    severity: 'warning',
    code: 'node_input_missing',
    message: /has no input for file, which the tool count_words requires\. Add one/,
  },
  {
    name: 'an output of a node that the result does not have',
    change: [manifest, '"path": "words"', '"path": "word"'],
    severity: 'warning',
    code: 'node_output_unknown',
    at: 'manifest.json:85',
    message: /outputs\.0\.path is word, but the result of count has no word\. Correct the path/,
    suggests: 'words',
  },
  {
    name: 'two outputs of one name',
    change: [manifest, '"name": "top", "label"', '"name": "words", "label"'],
    severity: 'warning',
    code: 'node_output_repeated',
    message: /another output of the node is called\. Take another name/,
  },
  {
    name: 'a text that a language lacks',
    change: [texts, "    cancel: '取消',\n", ''],
    severity: 'warning',
    code: 'text_missing',
    at: 'ui/texts.js:16',
    message: /zh-CN has no text cancel, so people see the English one\. Add it/,
  },
  {
    name: 'a text that a language misspells',
    change: [texts, "cancel: '取消'", "cancle: '取消'"],
    severity: 'warning',
    code: 'text_unknown',
    at: 'ui/texts.js:21',
    message: /cancle of the language zh-CN is not there in English\. Correct the name/,
    suggests: 'cancel',
  },
  {
    name: 'a method that the page misspells where it runs it with a cancel button',
    change: [script, "call('count'", "call('cuont'"],
    severity: 'warning',
    code: 'unknown_method',
    at: 'ui/main.js:24',
    message: /calls cuont, which is no method of the manifest\. Add it to methods/,
    suggests: 'count',
  },
  {
    name: 'a text that the page misspells',
    change: [page, 'data-text="intro"', 'data-text="inrto"'],
    severity: 'warning',
    code: 'text_unknown',
    at: 'ui/index.html:18',
    message: /asks for the text inrto, which ui\/texts\.js does not have\. Add it there/,
    suggests: 'intro',
  },
  {
    name: 'a text that a script misspells',
    change: [script, "text('total'", "text('totl'"],
    severity: 'warning',
    code: 'text_unknown',
    message: /asks for the text totl/,
    suggests: 'total',
  },
  {
    name: 'a text that the page does not use',
    change: [page, ' data-text="intro"', ''],
    severity: 'warning',
    code: 'text_unused',
    at: 'ui/texts.js:10',
    message: /does not use the text intro\. Use it, or remove it/,
  },
];

test('a field of a node that its tool rejects is reported', async () => {
  const directory = join(folder, 'closed');
  await cp(fresh, directory, { recursive: true });
  const file = join(directory, manifest);
  const text = (await readFile(file, 'utf8'))
    .replace(/"required": \["file"\]\n(?= +},\n +"effect")/, '"additionalProperties": false\n')
    .replace('"name": "order",', '"name": "oder",');
  await writeFile(file, text);
  const { findings } = await validatePlugin(directory, { trial: false });
  expect(findings).toEqual([
    expect.objectContaining({
      code: 'node_input_unknown',
      message: expect.stringContaining('oder, which the tool count_words does not take') as string,
      suggestion: 'order',
    }),
  ]);
});

test('a blocked call in a page in TypeScript is reported at its source position', async () => {
  const directory = join(folder, 'typed');
  await makePlugin({ directory, runtime: 'typescript', id: 'com.example.typed', name: 'Typed' });
  const file = join(directory, 'ui', 'main.ts');
  const lines = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, [...lines, "void fetch('http://x');", ''].join('\n'));
  const { findings } = await validatePlugin(directory, { trial: false });
  expect(findings).toEqual([
    expect.objectContaining({
      severity: 'warning',
      code: 'script_blocked',
      file: 'ui/main.ts',
      line: lines.length + 1,
    }),
  ]);
});

test('a fresh plugin has no findings', async () => {
  expect(await validatePlugin(fresh)).toEqual({
    directory: fresh,
    id: 'com.example.words',
    findings: [],
  });
});

test.each(mistakes)('$name: it is said what to do', async (mistake) => {
  const { name, change, severity = 'error', code, at, message, suggests } = mistake;
  const directory = join(folder, name.replaceAll(/\W/g, '-'));
  await cp(fresh, directory, { recursive: true });
  const [file, from, to = ''] = change;
  if (from === null) await rm(join(directory, file));
  else {
    const text = await readFile(join(directory, file), 'utf8');
    expect(text.replace(from, to)).not.toBe(text);
    await writeFile(join(directory, file), text.replace(from, to));
  }
  const { findings } = await validatePlugin(directory);
  const found = findings.find((one) => one.code === code);
  expect(findings, JSON.stringify(findings, null, 1)).toContain(found);
  expect(found).toMatchObject({ severity, message: expect.stringMatching(message) as string });
  expect(found?.suggestion).toBe(suggests);
  if (at !== undefined) expect(`${found?.file ?? ''}:${String(found?.line)}`).toBe(at);
  await rm(directory, { recursive: true });
});
