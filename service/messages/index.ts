export { textOf } from './english.ts';
export {
  type HostText,
  isMessage,
  type Message,
  type MessageCode,
  messageOf,
  msg,
  type Parameter,
} from './message.ts';
