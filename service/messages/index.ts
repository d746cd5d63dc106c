export { textOf } from './english.ts';
export {
  choiceMessage,
  type FieldMessage,
  type Issue,
  issueMessages,
  typeName,
} from './issue-messages.ts';
export { mapStrings } from './map-strings.ts';
export {
  type HostText,
  isMessage,
  type Message,
  type MessageCode,
  messageOf,
  msg,
  type Parameter,
} from './message.ts';
export { readStoredText, storedText } from './stored-text.ts';
export { wireText, wireWarnings } from './wire-text.ts';
