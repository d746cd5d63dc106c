import type { Translate } from '../../core/messages/texts.ts';
import type { WorkflowNode, WorkflowTemplate } from '../../../service/contract/index.ts';
import type { NodeKinds } from './node-kinds.ts';

/** The kinds of nodes with the host's own in the language of the shell; those of plugins say what they say. */
export const localizeKinds = (kinds: NodeKinds, t: Translate): NodeKinds =>
  new Map([...kinds].map(([type, kind]) => [type, isOwn(kind) ? localizeKind(kind, t) : kind]));

/** Nodes made from tools keep the names of the tools. */
const isOwn = ({ pluginId, group }: WorkflowNode): boolean =>
  pluginId === null && group === undefined;

function localizeKind(kind: WorkflowNode, t: Translate): WorkflowNode {
  const { type, label, inputs, outputs } = kind;
  return {
    ...kind,
    label: t(`hostNode.${type}.label`, fallbackTo(label)),
    inputs: inputs.map((input) => ({
      ...input,
      label: t(`hostNode.${type}.in.${input.name}`, fallbackTo(input.label ?? input.name)),
      ...(input.options && {
        options: input.options.map((option) => ({
          ...option,
          label: t(`hostNode.${type}.choice.${option.value}`, fallbackTo(option.label)),
        })),
      }),
    })),
    outputs: outputs.map((output) => ({
      ...output,
      label: t(`hostNode.${type}.out.${output.name}`, fallbackTo(output.label ?? output.name)),
    })),
  };
}

/** A template of the host in the language of the shell; what is made of it stays in that language. */
export function localizeTemplate(template: WorkflowTemplate, t: Translate): WorkflowTemplate {
  const { id, name, description, inputSchema } = template;
  const properties = Object.entries((inputSchema['properties'] ?? {}) as Record<string, object>);
  const localized = properties.map(([key, property]) => {
    const title = 'title' in property ? String(property.title) : key;
    return [key, { ...property, title: t(`hostTemplate.${id}.in.${key}`, fallbackTo(title)) }];
  });
  return {
    ...template,
    name: t(`hostTemplate.${id}.name`, fallbackTo(name)),
    description: t(`hostTemplate.${id}.text`, fallbackTo(description)),
    inputSchema: { ...inputSchema, properties: Object.fromEntries(localized) as object },
  };
}

/** Without words of its own it is called what the host calls it. Placeholders in it are the user's. */
const fallbackTo = (text: string) => ({ defaultValue: text, name: '{{name}}' });
