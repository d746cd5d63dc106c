/** What the field's checklist for Electron asks of source text; `scripts/electron-rules.test.ts` tries each rule. */

/** What only one file may do. */
const owners = [
  {
    file: 'main/desktop/window.ts',
    selectors: ['NewExpression[callee.name=/^(BrowserWindow|BrowserView|WebContentsView)$/]'],
    message:
      'Windows are made in main/desktop/window.ts, where every safety option is written out.',
  },
  {
    file: 'main/desktop/ipc.ts',
    selectors: ["MemberExpression[object.name='ipcMain']"],
    message: 'Pages are answered through main/desktop/ipc.ts, which looks at who asks and what.',
  },
  {
    file: 'main/desktop/open-external.ts',
    selectors: [
      "MemberExpression[object.name='shell'][property.name=/^(openExternal|openPath|showItemInFolder|writeShortcutLink)$/]",
    ],
    message:
      'Addresses are opened through main/desktop/open-external.ts, after a person has agreed.',
  },
  {
    file: 'main/desktop/browser/model-page.ts',
    selectors: ["MemberExpression[property.name='debugger']"],
    message: 'Only the pages of models are driven, in main/desktop/browser/model-page.ts.',
  },
];

/** What would keep every client of the one process waiting. */
export const blockingCalls = [
  'CallExpression[callee.property.name=/(Sync|^showErrorBox)$/]',
  'CallExpression[callee.name=/Sync$/]',
];
export const blockingMessage =
  'Synchronous calls stop every client of the host. Use the promise form.';

/** Electron runs as Node for nobody: the fuse for it is off. */
export const forking =
  "ImportDeclaration[source.value='node:child_process'] > ImportSpecifier[imported.name='fork']";
export const forkingMessage =
  'There is no fork in a packaged Electron. Use a worker thread, or a process of another program.';

/** Electron's own network stack holds uploads in memory, and does not end what a page has left. */
const ownNetwork =
  "ImportDeclaration[source.value='electron'] > ImportSpecifier[imported.name='net']";

const never = [
  {
    selectors: [ownNetwork],
    message: 'The service is asked through main/desktop/service-requests.ts.',
  },
  { selectors: blockingCalls, message: blockingMessage },
  { selectors: [forking], message: forkingMessage },
  {
    selectors: [
      'Property[key.name=/^(nodeIntegration|nodeIntegrationInWorker|nodeIntegrationInSubFrames|webviewTag|allowRunningInsecureContent|experimentalFeatures|enableRemoteModule|bypassCSP|allowServiceWorkers)$/][value.value=true]',
      'Property[key.name=/^(contextIsolation|sandbox|webSecurity)$/][value.value=false]',
      'Property[key.name=/^(enableBlinkFeatures|additionalArguments)$/]',
    ],
    message: 'This takes away what keeps a page in its place.',
  },
  {
    selectors: [
      'CallExpression[callee.property.name=/^(executeJavaScript|executeJavaScriptInIsolatedWorld|insertText|setCertificateVerifyProc|setAsDefaultProtocolClient|appendSwitch|appendArgument|registerFileProtocol|setBypassCSP)$/]',
      "CallExpression[callee.property.name='on'][arguments.0.value=/^(certificate-error|select-client-certificate|login)$/]",
    ],
    message:
      'The main process does not run texts in pages, nor weaken what the app was started with.',
  },
  {
    selectors: ["CallExpression[callee.name='eval']", "NewExpression[callee.name='Function']"],
    message: 'Texts are not run.',
  },
  {
    selectors: ['Literal[value=/^http:\\u002F\\u002F(?!127\\.0\\.0\\.1)/]'],
    message: 'What comes from outside comes over https.',
  },
];

const asRules = (rules) =>
  rules.flatMap(({ selectors, message }) => selectors.map((selector) => ({ selector, message })));

const ruleOf = (rules) => ({ 'no-restricted-syntax': ['error', ...asRules(rules)] });

/** The rules of a file of the main process or the preload. */
export const rulesFor = (file) => ruleOf([...never, ...owners.filter((one) => one.file !== file)]);

/** One block for all of them, and one for each owner. */
export const electronRules = [
  { files: ['main/**/*.ts', 'preload/**/*.ts'], rules: rulesFor('') },
  ...owners.map(({ file }) => ({ files: [file], rules: rulesFor(file) })),
].map((block) => ({ ...block, ignores: ['**/*.test.ts', '**/testing/**'] }));
