import hooks from 'eslint-plugin-react-hooks';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import {
  blockingCalls,
  blockingMessage,
  electronRules,
  forking,
  forkingMessage,
} from './eslint.electron.mjs';
import { standardNames } from './eslint.names.mjs';

const spawnMessage =
  'Start processes through service/platform/processes.ts: it owns the whole tree and its end.';

const wordsMessage = 'Texts are in service/messages, in each language: show them with t(…).';
const letters = '/[A-Za-z\\u4e00-\\u9fff]{2}/';
/** Attributes that people read or hear. */
const said =
  'JSXAttribute[name.name=/^(aria-(label|description|roledescription|valuetext|placeholder)|title|placeholder|label|description|alt|summary|error|nothingFoundMessage)$/]';
const bare = [
  `Literal[value=${letters}]`,
  `TemplateLiteral > TemplateElement[value.raw=${letters}]`,
].flatMap((text) => [text, `ConditionalExpression > ${text}`, `LogicalExpression > ${text}`]);

/** Texts of components that no words stand behind. */
const bareWords = [
  `JSXText[value=${letters}]`,
  `${said} > Literal[value=${letters}]`,
  `Property[key.value="aria-label"] > Literal.value[value=${letters}]`,
  ...bare.flatMap((text) => [
    `:matches(JSXElement, JSXFragment) > JSXExpressionContainer > ${text}`,
    `${said} > JSXExpressionContainer > ${text}`,
  ]),
];

/** Properties stand where they belong, not in an object that is spread at once. */
const noPacking = {
  create: (context) => ({
    ':matches(ObjectExpression, JSXOpeningElement) > :matches(SpreadElement, JSXSpreadAttribute) > ObjectExpression':
      (node) =>
        context.report({ node, message: 'Write these properties into the object around them.' }),
  }),
};

const allowNames = (word, files) => ({
  files,
  rules: { 'house/standard-names': ['error', { allow: [word] }] },
});

export default defineConfig(
  {
    ignores: [
      'dist/',
      'node_modules/',
      'artifacts/',
      'plugin-kit/templates/',
      'plugin-kit/types/',
      '**/*.mjs',
      '**/*.js',
      '**/*.cjs',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { house: { rules: { 'no-packing': noPacking, 'standard-names': standardNames } } },
    rules: {
      'house/no-packing': 'error',
      'house/standard-names': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      complexity: ['error', 12],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true, named: true } }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Values that come from JSON or the network are checked although their declared type says otherwise.
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['service/**/*.ts'],
    ignores: ['service/platform/**', 'service/testing/**', '**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            { name: 'node:child_process', message: spawnMessage },
            {
              name: 'electron',
              message: 'The service runs without Electron. Use service/platform/desktop.ts.',
            },
          ],
        },
      ],
    },
  },
  {
    // The log is opened, and a folder is left, where nothing can be waited for.
    files: ['service/**/*.ts'],
    ignores: [
      ...['service/platform/log-file.ts', 'service/platform/database/try-copy.ts'],
      ...['service/testing/**', '**/*.test.ts'],
    ],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...blockingCalls.map((selector) => ({ selector, message: blockingMessage })),
        { selector: forking, message: forkingMessage },
      ],
    },
  },
  // Words in the sense of the shell, of a text, and of a machine.
  allowNames('words', [
    'service/features/permissions/**',
    'service/features/tools/memory/**',
    'service/features/contributions/hooks/named-paths.ts',
    'service/features/chat/skills/skill-source.ts',
    'service/features/mcp/import/command-words.ts',
    'service/features/updates/deb-installer.ts',
    'service/platform/computer/desktop-entries.ts',
    'service/platform/elf/machine-code.ts',
    'service/platform/secret-values.ts',
    'service/platform/user-environment.ts',
    'service/testing/bash-judge/**',
    'e2e/page-checks.ts',
    'renderer-shell/state/market/filter.test.ts',
    // The sample plugin "Words".
    'plugins/words.java.test.ts',
    'renderer-shell/screens/**/*.page.test.ts',
    'service/features/contributions/contributions.git.test.ts',
  ]),
  // Fault injection.
  allowNames('fault', ['service/testing/faults/**']),
  // Names that are sent or stored.
  allowNames('place', [
    'plugin-kit/plugin-client/report-failures.ts',
    'service/features/plugins/errors/plugin-errors.ts',
    'service/features/mcp/program-path.test.ts',
  ]),
  allowNames('given', ['service/features/marketplace/sources/source-store.ts']),
  allowNames('told', ['service/features/models/used-tokens.ts']),
  allowNames('known', ['service/features/tools/command/protected/held-workspace.ts']),
  ...electronRules,
  {
    files: ['renderer-shell/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': hooks },
    rules: { ...hooks.configs.recommended.rules },
  },
  {
    files: ['renderer-shell/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...bareWords.map((selector) => ({ selector, message: wordsMessage })),
      ],
    },
  },
  {
    files: ['**/*.test.{ts,tsx}', '**/testing/**', 'e2e/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    files: [
      'scripts/**/*.ts',
      'bench/**/*.ts',
      'plugin-kit/**/*.ts',
      '*.config.ts',
      '**/*.config.ts',
    ],
    rules: { 'no-restricted-exports': 'off' },
  },
);
