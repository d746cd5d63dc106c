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

const imports = (name, from, to, comment) => ({ name, comment, severity: 'error', from, to });

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
    only('service/core/', [], 'Pure: usable anywhere, tested without a world.'),
    only(
      'service/platform/',
      ['service/core/'],
      'The outside world knows nothing of HTTP or features.',
    ),
    only(
      'service/http/',
      ['service/contract/', 'service/core/'],
      'HTTP carries features without knowing them.',
    ),
    only(
      'service/features/',
      ['service/contract/', 'service/core/', 'service/platform/', 'service/http/'],
      'Features stand on the layers to their right.',
    ),
    only(
      'main/',
      ['service/app/index\\.ts', 'service/platform/desktop\\.ts'],
      'The launcher starts the service by its door.',
    ),
    only(
      'preload/',
      ['service/contract/', 'service/client/'],
      'The page side knows the contract alone.',
    ),
    only(
      'renderer-shell/',
      ['service/contract/', 'service/client/', 'plugin-kit/plugin-client/'],
      'The page side knows the contract alone.',
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
    imports(
      'leaf-features',
      { path: '^service/features/(settings|notifications|setup|diagnostics)/' },
      { path: '^service/features/', pathNot: '^service/features/$1/' },
      'These stand at the bottom; whoever needs them gets them handed in.',
    ),
    imports(
      'marketplace-on-plugins',
      { path: '^service/features/marketplace/' },
      {
        path: '^service/features/',
        pathNot: '^service/features/(marketplace|plugins|contributions)/',
      },
      'Installing, and knowing what is inside, is all a marketplace needs.',
    ),
    imports(
      'contributions-on-plugins',
      { path: '^service/features/contributions/' },
      { path: '^service/features/', pathNot: '^service/features/(contributions|plugins)/' },
      'What plugins bring is read from installed plugins, and handed on by the app.',
    ),
    imports(
      'no-electron-in-service',
      { path: '^service/' },
      { path: 'node_modules/electron' },
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
      { path: '^service/testing/' },
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
    exclude: { path: '(^|/)(dist|node_modules/.+/node_modules)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
