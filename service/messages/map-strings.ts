import { type HostText, isMessage, type Message, type Parameter } from './message.ts';

/** Returns the text with each of its strings changed, for example to remove secrets. */
export function mapStrings(text: HostText, change: (text: string) => string): HostText {
  return isMessage(text) ? mapMessage(text, change) : change(text);
}

function mapMessage(message: Message, change: (text: string) => string): Message {
  const { code, parameters } = message;
  if (parameters === undefined) return message;
  const changed = Object.entries(parameters).map(([name, value]): [string, Parameter] => [
    name,
    mapParameter(value, change),
  ]);
  return { code, parameters: Object.fromEntries(changed) };
}

function mapParameter(parameter: Parameter, change: (text: string) => string): Parameter {
  if (typeof parameter === 'string') return change(parameter);
  if (typeof parameter === 'number') return parameter;
  if (isList(parameter)) return parameter.map((one) => mapParameter(one, change));
  return mapMessage(parameter, change);
}

const isList = (parameter: Parameter): parameter is readonly Parameter[] =>
  Array.isArray(parameter);
