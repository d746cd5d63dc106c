/** Words that only this project would use, with the terms that every engineer knows. */
const standardTerms = {
  desk: '…Service',
  book: '…Store, …Registry or …Cache',
  lane: '…Limiter or …Queue',
  lanes: '…Limiter or …Queue',
  place: 'route, location, target or origin',
  places: 'routes, locations, targets or origins',
  given: 'input or provided',
  // Alone only: `isKnownCommand` says what it means.
  known: 'cached or existing',
  shown: 'visible',
  kept: 'stored or retained',
  words: 'messages, labels or text',
  say: 'message or describe',
  says: 'message or describes',
  said: 'message or reported',
  saying: 'message',
  told: 'reported or notified',
  tell: 'notify, emit or report',
  tells: 'notifies, emits or reports',
  hear: 'onEvent or receive',
  heard: 'received or onEvent',
  fault: 'error or failure',
  faults: 'errors or failures',
  trouble: 'error or failure',
  troubles: 'errors or failures',
  look: 'theme or preview',
  looks: 'themes or previews',
  reach: 'networkPolicy',
  traits: 'capabilities',
  box: 'sandbox',
  boxed: 'sandboxed',
  boxing: 'sandbox',
  shelf: 'list or catalog',
  notice: 'notification or alert',
  room: 'capacity or remainingBytes',
  ending: 'outcome',
  endings: 'outcomes',
  waiting: 'pending…',
  brought: 'contributions',
};

const wordsOf = (name) =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_$-]+/);

/** Standard English around a word of the table: `looksLikePath`, `lookUp`, `knownClients`. */
const isStandard = (name, word) =>
  (word === 'known' && name !== 'known') ||
  (/^looks?$/.test(word) && /looksLike|lookUp/i.test(name));

/** The names that a pattern declares: `{ a, b: [c] }` declares a and c. */
function declaredBy(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern];
    case 'ObjectPattern':
      // A shorthand takes the name that the object has.
      return pattern.properties.flatMap((property) =>
        property.type === 'RestElement'
          ? declaredBy(property.argument)
          : property.shorthand
            ? []
            : declaredBy(property.value),
      );
    case 'ArrayPattern':
      return pattern.elements.flatMap(declaredBy);
    case 'AssignmentPattern':
      return declaredBy(pattern.left);
    case 'RestElement':
      return declaredBy(pattern.argument);
    case 'TSParameterProperty':
      return declaredBy(pattern.parameter);
    default:
      return [];
  }
}

/** Refuses private words in the names of what a file declares. `allow`: words that are right in it. */
export const standardNames = {
  meta: {
    type: 'suggestion',
    schema: [
      {
        type: 'object',
        properties: { allow: { type: 'array', items: { type: 'string' } } },
        additionalProperties: false,
      },
    ],
  },
  create(context) {
    const allowed = new Set(context.options[0]?.allow);
    const check = (node) => {
      const name = String(node.name ?? node.value);
      for (const word of new Set(wordsOf(name))) {
        if (Object.hasOwn(standardTerms, word) && !allowed.has(word) && !isStandard(name, word))
          context.report({
            node,
            message: `The name "${name}" has the word "${word}". The standard term is ${standardTerms[word]}.`,
          });
      }
    };
    const checkAll = (patterns) => patterns.flatMap(declaredBy).forEach(check);
    const checkKey = ({ key, computed }) => {
      if (!computed && ['Identifier', 'PrivateIdentifier'].includes(key.type)) check(key);
    };
    return {
      VariableDeclarator: ({ id }) => checkAll([id]),
      ':function': ({ id, params }) => checkAll([id, ...params]),
      'TSFunctionType, TSMethodSignature, TSDeclareFunction': ({ params }) => checkAll(params),
      CatchClause: ({ param }) => checkAll([param]),
      'ClassDeclaration, TSInterfaceDeclaration, TSTypeAliasDeclaration': ({ id }) =>
        checkAll([id]),
      'PropertyDefinition, MethodDefinition': checkKey,
      'TSPropertySignature, TSMethodSignature': checkKey,
    };
  },
};
