import type { Translate } from '../../core/messages/texts.ts';
import type { WorkflowNode, WorkflowTemplate } from '../../../service/contract/index.ts';
import type { NodeKinds } from './node-kinds.ts';

/** Returns the node types with the host's own localized; those of plugins keep their texts. */
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

/** Returns a localized template of the host; workflows created from it keep that language. */
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

/** Falls back to the host's own name. Placeholders in it belong to the user. */
const fallbackTo = (text: string) => ({ defaultValue: text, name: '{{name}}' });
