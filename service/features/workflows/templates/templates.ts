import type { WorkflowTemplate } from '../../../contract/index.ts';

const at = (column: number, row = 0) => ({ x: column * 320, y: row * 160 });

/** Workflows to start with, built from the host's own nodes. */
export const templates: readonly WorkflowTemplate[] = [
  {
    id: 'watch-address',
    name: 'Watch a web address',
    description:
      'Reads JSON from an address, extracts one value, and notifies you when it matches.',
    inputSchema: {
      type: 'object',
      properties: {
        url: { type: 'string', title: 'Address', minLength: 1 },
        path: { type: 'string', title: 'Path of the value, such as items[0].state' },
        awaited: { type: 'string', title: 'Expected value' },
      },
      required: ['url', 'path', 'awaited'],
    },
    graph: {
      nodes: [
        node('read', at(0), 'http_get', { url: '{{inputs.url}}' }),
        node('pick', at(1), 'json_format', { operation: 'pick', path: '{{inputs.path}}' }),
        node('compare', at(2), 'condition', { operator: 'equals', right: '{{inputs.awaited}}' }),
        node('tell', at(3), 'notify', {
          title: 'The value is {{inputs.awaited}}',
          body: '{{inputs.url}}',
          level: 'success',
        }),
        note('note', at(2, 1.5), 'Runs the next step only if both values are equal.'),
      ],
      edges: [
        { id: 'a', source: 'read', sourceHandle: 'body', target: 'pick', targetHandle: 'json' },
        { id: 'b', source: 'pick', sourceHandle: 'value', target: 'compare', targetHandle: 'left' },
        { id: 'c', source: 'compare', sourceHandle: 'true', target: 'tell' },
      ],
    },
  },
  {
    id: 'send-after-asking',
    name: 'Send a message after confirmation',
    description: 'Writes a message, shows it to you, and sends it once you confirm.',
    inputSchema: {
      type: 'object',
      properties: {
        url: { type: 'string', title: 'Send to (address)', minLength: 1 },
        name: { type: 'string', title: 'Recipient', default: 'everybody' },
        message: { type: 'string', title: 'Message' },
      },
      required: ['url', 'message'],
    },
    graph: {
      nodes: [
        node('write', at(0), 'text_template', {
          template: 'Hello {{name}},\n\n{{message}}',
          values: [
            { name: 'name', value: '{{inputs.name}}' },
            { name: 'message', value: '{{inputs.message}}' },
          ],
        }),
        node('ask', at(1), 'confirm_send', { title: 'A message to {{inputs.url}}' }),
        node('send', at(2), 'http_request', {
          method: 'POST',
          url: '{{inputs.url}}',
          body: { text: '{{node.write.result.text}}' },
        }),
      ],
      edges: [
        { id: 'a', source: 'write', sourceHandle: 'text', target: 'ask', targetHandle: 'summary' },
        { id: 'b', source: 'ask', target: 'send' },
      ],
    },
  },
  {
    id: 'remind-later',
    name: 'Remind me later',
    description: 'Waits, then shows a notification.',
    inputSchema: {
      type: 'object',
      properties: {
        what: { type: 'string', title: 'Reminder', minLength: 1 },
        seconds: {
          type: 'number',
          title: 'Delay in seconds',
          minimum: 0,
          maximum: 3600,
          default: 600,
        },
      },
      required: ['what'],
    },
    graph: {
      nodes: [
        node('wait', at(0), 'delay', { seconds: '{{inputs.seconds}}' }),
        node('remind', at(1), 'notify', { title: '{{inputs.what}}' }),
      ],
      edges: [{ id: 'a', source: 'wait', target: 'remind' }],
    },
  },
];

function node(
  id: string,
  position: { x: number; y: number },
  nodeType: string,
  inputs: Record<string, unknown>,
): Record<string, unknown> {
  return { id, type: 'step', position, data: { nodeType, inputs } };
}

function note(id: string, position: { x: number; y: number }, text: string) {
  return { id, type: 'sticky', position, data: { text } };
}
