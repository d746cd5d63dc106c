/**
 * Words that only this project would understand, each with the word that the field uses.
 * `scripts/name-rules.test.ts` tries each of them.
 *
 * `segments`: anywhere in a name, by camel-case segment. `whole`: only as the whole name.
 * `types`: only in the names of types. `except`: files where the word has its usual meaning.
 */
const privateWords = [
  { segments: 'desk desks', use: 'Service' },
  { segments: 'book books', use: 'Store (persists), Registry (live things) or Cache' },
  { segments: 'slots lane lanes', use: 'Semaphore or Limiter' },
  { segments: 'boxing boxed', whole: 'box', use: 'sandbox' },
  { segments: 'reach', use: 'networkPolicy' },
  { segments: 'told tell tells telling', use: 'emit, notify, report or reported' },
  { segments: 'heard hear', use: 'onEvent, received or receive' },
  { segments: 'said say says', use: 'message, text or output' },
  { segments: 'trouble troubles', use: 'error or failure' },
  {
    segments: 'fault faults',
    use: 'error or failure',
    // Fault injection is the usual name of such tests.
    except: ['service/testing/faults/', 'e2e/faults/'],
  },
  {
    whole: 'words wordsOf',
    types: 'words',
    use: 'messages or labels',
    // Words of a command line, of a text that is searched or counted, or of a processor.
    except: [
      'service/features/permissions/',
      'service/features/tools/memory/',
      'service/features/tools/command/',
      'service/features/contributions/hooks/',
      'service/features/mcp/import/',
      'service/features/updates/',
      'service/platform/computer/desktop-entries.ts',
      'service/platform/elf/',
      'service/platform/secret-values.ts',
      'service/platform/user-environment.ts',
      'service/platform/windows-command.ts',
      'service/testing/bash-judge/',
      'renderer-shell/state/market/filter',
      'plugin-kit/cli/init.ts',
      'plugins/',
    ],
  },
  { segments: 'shelf shelves', use: 'list or catalog' },
  { segments: 'brought', use: 'contributions' },
  { segments: 'trait traits', use: 'capabilities' },
  { sequences: 'besideCatalog', use: 'extras' },
  { sequences: 'lookInside', use: 'preview' },
  { sequences: 'takeIn', use: 'install' },
  { sequences: 'sayIn', use: 'localize' },
  { sequences: 'goingOn', use: 'resume' },
  { sequences: 'lastWord', use: 'finalEvent' },
  { sequences: 'actingParts', use: 'compose' },
  { sequences: 'firstFrame', use: 'skeleton' },
  { sequences: 'showSign signWindow', use: 'indicator' },
  {
    segments: 'flow flows',
    use: 'workflow',
    // The flows of OAuth.
    except: ['service/features/mcp/oauth/'],
  },
  { whole: 'given', use: 'input or provided' },
  { whole: 'known', use: 'cached or existing' },
  { segments: 'kept', use: 'stored or retained' },
  { segments: 'shown', use: 'visible' },
  { whole: 'left', sequences: 'leftOut leftOver leftBehind', use: 'remaining or skipped' },
  { whole: 'look looks', types: 'look looks', use: 'theme, appearance or preview' },
  { whole: 'place places', types: 'place places', use: 'location, position, target or origin' },
  { whole: 'room', use: 'capacity or remainingBytes' },
  { whole: 'ending endings', use: 'outcome, suffix or extension' },
  { whole: 'waiting', use: 'pending' },
];

/** Names that are fixed by others: the contract of the host, a database, a protocol or a library. */
const fixedNames = [
  {
    // A parameter of notifications that are stored with it.
    names: ['left', 'sample_left_out'],
    files: ['service/core/run-messages.ts', 'service/contract/notification-parameters.ts'],
  },
  {
    // A field of `backup.json`.
    names: ['leftOut'],
    files: [
      'service/features/backups/backup-format.ts',
      'service/features/backups/making-backups.test.ts',
      'service/features/plugins/hostile-trees.test.ts',
    ],
  },
  {
    // A field of `usage` events that runs store.
    names: ['told'],
    files: ['service/features/models/used-tokens.ts'],
  },
  {
    // The answer of a program that a test of another language writes.
    names: ['place'],
    files: ['service/features/mcp/program-path.test.ts'],
  },
];

const listOf = (text = '') => text.split(' ').filter(Boolean);
const segmentsOf = (name) =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((one) => one.toLowerCase());

const entries = privateWords.map(({ segments, whole, types, sequences, use, except = [] }) => ({
  segments: new Set(listOf(segments)),
  whole: new Set(listOf(whole).map((one) => one.toLowerCase())),
  types: new Set(listOf(types)),
  sequences: listOf(sequences).map((one) => `-${segmentsOf(one).join('-')}-`),
  use,
  except,
}));

/** Returns the private word of a name and the word to use, or null. A side has an opposite in its file. */
export function privateWordOf(name, { file = '', isType = false, text = '' } = {}) {
  const parts = segmentsOf(name);
  const joined = `-${parts.join('-')}-`;
  for (const { segments, whole, types, sequences, use, except } of entries) {
    if (except.some((start) => file.startsWith(start))) continue;
    const lower = name.replace(/^[#_]+/, '').toLowerCase();
    if (lower === 'left' && /\b(?:right|top|x)\b/i.test(text)) continue;
    const word =
      parts.find((part) => segments.has(part) || (isType && types.has(part))) ??
      (whole.has(lower) ? name : undefined) ??
      sequences.find((one) => joined.includes(one))?.slice(1, -1);
    if (word !== undefined) return { word, use };
  }
  return null;
}

/** The nodes whose `id` or `key` names something new. */
const declared = {
  VariableDeclarator: ({ id }) => bound(id),
  FunctionDeclaration: ({ id, params }) => [id, ...params.flatMap(bound)],
  FunctionExpression: ({ params }) => params.flatMap(bound),
  ArrowFunctionExpression: ({ params }) => params.flatMap(bound),
  TSEmptyBodyFunctionExpression: ({ params }) => params.flatMap(bound),
  TSFunctionType: ({ params }) => params.flatMap(bound),
  TSMethodSignature: ({ key, params }) => [key, ...params.flatMap(bound)],
  ClassDeclaration: ({ id }) => [id],
  TSInterfaceDeclaration: ({ id }) => [id],
  TSTypeAliasDeclaration: ({ id }) => [id],
  TSPropertySignature: ({ key }) => [key],
  PropertyDefinition: ({ key }) => [key],
  MethodDefinition: ({ key }) => [key],
};
const typeNodes = new Set(['ClassDeclaration', 'TSInterfaceDeclaration', 'TSTypeAliasDeclaration']);

/** The names that a pattern makes. `{ left }` takes over the name of something else. */
function bound(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern];
    case 'AssignmentPattern':
      return bound(pattern.left);
    case 'RestElement':
      return bound(pattern.argument);
    case 'ArrayPattern':
      return pattern.elements.flatMap(bound);
    case 'TSParameterProperty':
      return bound(pattern.parameter);
    case 'ObjectPattern':
      return pattern.properties.flatMap((one) =>
        one.type === 'RestElement' || !one.shorthand ? bound(one.argument ?? one.value) : [],
      );
    default:
      return [];
  }
}

/** Refuses private words in names that a file declares, and in its own name. */
export const standardNames = {
  create(context) {
    const file = context.filename.replaceAll('\\', '/').slice(context.cwd.length + 1);
    const { text } = context.sourceCode;
    const isFixed = (name) =>
      fixedNames.some((one) => one.names.includes(name) && one.files.includes(file));
    const report = (node, { word, use }) =>
      context.report({ node, message: `"${word}" is a private word: use ${use}.` });
    const check = (isType) => (id) => {
      if (id?.type !== 'Identifier' && id?.type !== 'PrivateIdentifier') return;
      const found = privateWordOf(id.name, { file, isType, text });
      if (found !== null && !isFixed(id.name)) report(id, found);
    };
    const visitors = Object.entries(declared).map(([type, namesOf]) => [
      type,
      (node) => namesOf(node).forEach(check(typeNodes.has(type))),
    ]);
    return {
      ...Object.fromEntries(visitors),
      Program(node) {
        const base = file.split('/').at(-1) ?? '';
        const name = base.split('.')[0].replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
        const found = privateWordOf(name, { file, text });
        if (found !== null && !isFixed(base)) report(node, found);
      },
    };
  },
};
