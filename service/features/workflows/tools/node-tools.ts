import type { ToolSource } from '../../tools/index.ts';
import { condition } from './condition.ts';
import { httpTools } from './http-request.ts';
import { jsonFormat } from './json-format.ts';
import { confirmSend, delay, type Notify, notifyTool } from './plain-tools.ts';
import { textTemplate } from './text-template.ts';

/** Dependencies of the tools of built-in nodes. */
export interface NodeToolsOptions {
  /** The setting `host.web.allow`. */
  webAllow: readonly string[];
  notify: Notify;
}

/** The tools of the built-in nodes. Plans and models can call them like any other tool. */
export function nodeTools({ webAllow, notify }: NodeToolsOptions): ToolSource {
  const tools = [
    ...[jsonFormat, textTemplate, ...httpTools(webAllow)],
    ...[condition, delay, notifyTool(notify), confirmSend],
  ];
  return { list: () => tools };
}
