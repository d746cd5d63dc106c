const code = '\\.tsx?$';
const test = '(\\.test\\.tsx?$|^service/testing/|/testing/)';

/** Who may import whom: one rule a line of the table in ARCHITECTURE.md. */
const only = (from, allowed, comment) => ({
  name: `${from.replace(/[^a-z/-]/g, '')}-imports`,
  comment,
  severity: 'error',
  from: { path: `^${from}`, pathNot: test },
  to: {
    path: '^(service|main|preload|renderer-shell|plugin-kit|e2e|bench|scripts)/',
    pathNot: [`^${from}`, ...allowed.map((path) => `^${path}`)],
  },
});

/** A layer of the shell imports those below it. */
const shellLayer = (layer, below, comment) => ({
  name: `shell-${layer}-imports`,
  comment,
  severity: 'error',
  from: { path: `^renderer-shell/${layer}/`, pathNot: test },
  to: {
    path: '^renderer-shell/',
    pathNot: `^renderer-shell/(${[layer, ...below].join('|')})/`,
  },
});

const imports = (name, from, to, comment) => ({ name, comment, severity: 'error', from, to });

/** The features that each one stands on, from the bottom up; what else it needs is handed in by the app. */
export const featuresBelow = {
  settings: [],
  notifications: [],
  setup: [],
  hosts: [],
  backups: [],
  updates: [],
  diagnostics: [],
  models: [],
  usage: [],
  imports: [],
  plugins: [],
  unpacked: ['plugins'],
  contributions: ['plugins'],
  marketplace: ['plugins', 'contributions'],
  permissions: ['plugins', 'contributions'],
  tools: ['plugins', 'permissions'],
  mcp: ['models', 'plugins', 'contributions', 'tools'],
  'mcp-server': ['tools'],
  'model-tools': ['models', 'tools'],
  'call-gate': ['permissions', 'tools'],
  chat: ['models', 'plugins', 'contributions', 'tools', 'call-gate'],
  agent: ['models', 'plugins', 'tools', 'call-gate'],
  workflows: ['plugins', 'permissions', 'tools', 'agent'],
  schedules: ['tools', 'agent', 'workflows'],
};

const featureOn = (feature, below) => ({
  name: `feature-${feature}`,
  comment: 'A feature stands on those that the table in ARCHITECTURE.md names, and on no others.',
  severity: 'error',
  from: { path: `^service/features/${feature}/` },
  to: {
    path: '^service/features/',
    pathNot: `^service/features/(${[feature, ...below].join('|')})/`,
  },
});

export default {
  forbidden: [
    imports(
      'no-cycles',
      {},
      { circular: true },
      'A cycle makes two files one; a contribution or a smaller file breaks it.',
    ),
    only('service/contract/', [], 'The contract is all the outside knows, so it knows nothing.'),
    only('service/client/', ['service/contract/'], 'A client speaks the contract alone.'),
    only('service/messages/', [], 'What the host says is known without knowing who says it.'),
    only('service/core/', ['service/messages/'], 'Pure: usable anywhere, tested without a world.'),
    only(
      'service/platform/',
      ['service/core/', 'service/messages/', 'service/contract/log-areas\\.ts'],
      'The outside world knows nothing of HTTP or features, but the names of its logs are public.',
    ),
    only(
      'service/http/',
      ['service/contract/', 'service/core/', 'service/messages/'],
      'HTTP carries features without knowing them.',
    ),
    only(
      'service/features/',
      [
        'service/contract/',
        'service/core/',
        'service/messages/',
        'service/platform/',
        'service/http/',
      ],
      'Features stand on the layers to their right.',
    ),
    only(
      'main/',
      ['service/app/index\\.ts', 'service/platform/desktop\\.ts', 'service/messages/'],
      'The launcher starts the service by its door.',
    ),
    only(
      'preload/',
      ['service/contract/', 'service/client/'],
      'The page side knows the contract alone.',
    ),
    only(
      'renderer-shell/',
      ['service/contract/', 'service/client/', 'service/messages/', 'plugin-kit/plugin-client/'],
      'The page side knows the contract alone.',
    ),
    shellLayer('core', [], 'Session, store, theme and messages serve any page.'),
    shellLayer('state', ['core'], 'What several screens share is known without being seen.'),
    shellLayer(
      'ui',
      ['core', 'state'],
      'A part that several screens show belongs to none of them.',
    ),
    shellLayer('screens', ['core', 'state', 'ui'], 'A screen does not know who opens it.'),
    imports(
      'screens-apart',
      { path: '^renderer-shell/screens/([^/]+)/' },
      { path: '^renderer-shell/screens/', pathNot: '^renderer-shell/screens/$1/' },
      'A screen can be changed without looking at the others; what two need moves down.',
    ),
    imports(
      'features-by-their-door',
      { path: '^service/features/([^/]+)/' },
      {
        path: '^service/features/([^/]+)/',
        pathNot: ['^service/features/$1/', '^service/features/[^/]+/index\\.ts$'],
      },
      'What a feature keeps to itself can be changed without asking the others.',
    ),
    ...Object.entries(featuresBelow).map(([feature, below]) => featureOn(feature, below)),
    imports(
      'no-electron-in-service',
      { path: '^service/' },
      { path: 'node_modules/electron/' },
      'Headless is the same product.',
    ),
    imports(
      'express-in-http',
      { path: '^service/', pathNot: '^service/http/' },
      { path: 'node_modules/express' },
      'Routes are values; one folder knows how they are served.',
    ),
    imports(
      'sequelize-in-stores',
      { path: '^service/', pathNot: ['-store\\.ts$', '^service/platform/database/', test] },
      { path: 'node_modules/sequelize', dependencyTypesNot: ['type-only'] },
      'Rows are one file of a feature.',
    ),
    imports(
      'testing-in-tests',
      { path: code, pathNot: [test, '^e2e/', '^bench/'] },
      { path: '(^|/)testing/', pathNot: 'node_modules' },
      'Fakes never ship.',
    ),
    imports(
      'no-unresolved',
      { path: code },
      { couldNotResolve: true, pathNot: '^(vite/client)$' },
      'An import that finds nothing fails at run time.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|plugin-kit/templates|node_modules/.+/node_modules)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
