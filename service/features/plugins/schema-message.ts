import type { ErrorObject } from 'ajv';
import { choiceMessage, type Message, msg, typeName } from '../../messages/index.ts';

interface Params {
  type?: string | string[];
  limit?: number;
  comparison?: string;
  missingProperty?: string;
  additionalProperty?: string;
  unevaluatedProperty?: string;
  propertyName?: string;
  multipleOf?: number;
  allowedValues?: unknown[];
  allowedValue?: unknown;
  pattern?: string;
}

const maxPattern = 200;

/**
 * Returns the reason why a value does not match a keyword of its schema; the text continues the
 * name of the field.
 */
export const schemaMessage = ({ keyword, params }: ErrorObject): Message =>
  messages[keyword]?.(params as Params) ?? msg('field.notValid');

const unknown = (name = ''): Message => msg('field.unknown', { names: [name] });
const missing = ({ missingProperty: name = '' }: Params): Message =>
  msg('field.missingField', { name });

const messages: Partial<Record<string, (params: Params) => Message>> = {
  type: ({ type = '' }) =>
    msg('field.wrongType', { expected: [type].flat().join().split(',').map(typeName) }),
  required: missing,
  dependentRequired: missing,
  dependencies: missing,
  additionalProperties: ({ additionalProperty }) => unknown(additionalProperty),
  unevaluatedProperties: ({ unevaluatedProperty }) => unknown(unevaluatedProperty),
  propertyNames: ({ propertyName }) => unknown(propertyName),
  enum: ({ allowedValues = [] }) => choiceMessage(allowedValues),
  const: ({ allowedValue }) => choiceMessage([JSON.stringify(allowedValue)]),
  minLength: ({ limit = 0 }) =>
    limit <= 1 ? msg('field.empty') : msg('field.tooShort', { limit }),
  maxLength: ({ limit = 0 }) => msg('field.tooLong', { limit }),
  minItems: ({ limit = 0 }) => (limit <= 1 ? msg('field.empty') : msg('field.tooFew', { limit })),
  maxItems: ({ limit = 0 }) => msg('field.tooMany', { limit }),
  minProperties: ({ limit = 0 }) => msg('field.tooFewFields', { limit }),
  maxProperties: ({ limit = 0 }) => msg('field.tooManyFields', { limit }),
  minimum: ({ limit = 0 }) => msg('field.tooSmall', { limit }),
  maximum: ({ limit = 0 }) => msg('field.tooLarge', { limit }),
  exclusiveMinimum: ({ limit = 0 }) => msg('field.notAbove', { limit }),
  exclusiveMaximum: ({ limit = 0 }) => msg('field.notBelow', { limit }),
  multipleOf: ({ multipleOf: divisor = 1 }) => msg('field.notMultiple', { divisor }),
  pattern: ({ pattern = '' }) =>
    msg('field.wrongPattern', { pattern: pattern.slice(0, maxPattern) }),
  format: () => msg('field.wrongFormat'),
  uniqueItems: () => msg('field.notUnique'),
  anyOf: () => msg('field.noChoiceFits'),
  oneOf: () => msg('field.noChoiceFits'),
  'false schema': () => msg('field.notAllowed'),
};
