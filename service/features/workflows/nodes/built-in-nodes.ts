import type { NodeDefinition } from '../../../contract/index.ts';
import { operators } from '../tools/condition.ts';
import { sendMethods } from '../tools/http-request.ts';
import { operations } from '../tools/json-format.ts';

const choices = (values: readonly string[]): { value: string; label: string }[] =>
  values.map((value) => ({ value, label: labels[value] ?? labelOf(value) }));

/** Labels for values that are not readable themselves. */
const labels: Readonly<Record<string, string>> = {
  pretty: 'Format',
  pick: 'Extract value',
  not_equals: 'Does not equal',
  greater: 'Greater than',
  greater_or_equal: 'Greater than or equal to',
  less: 'Less than',
  less_or_equal: 'Less than or equal to',
};

const labelOf = (value: string): string => {
  const text = value.replaceAll('_', ' ');
  return text === text.toUpperCase() ? text : text.slice(0, 1).toUpperCase() + text.slice(1);
};

const url = { name: 'url', label: 'Address', widget: 'text', required: true } as const;
const headers = { name: 'headers', label: 'Headers', widget: 'rows' } as const;
const answer = [
  { name: 'body', label: 'Body', path: 'body' },
  { name: 'status', label: 'Status', path: 'status' },
  { name: 'headers', label: 'Headers', path: 'headers' },
];

/** The built-in nodes. Each one's tool has the same name in the catalog. */
export const builtInNodes: readonly NodeDefinition[] = [
  {
    type: 'json_format',
    tool: 'json_format',
    label: 'JSON',
    color: '#7c5cd6',
    icon: 'braces',
    inputs: [
      { name: 'json', label: 'JSON', widget: 'json', required: true },
      {
        name: 'operation',
        label: 'Operation',
        widget: 'select',
        default: 'pretty',
        options: choices(operations),
      },
      { name: 'path', label: 'Path', widget: 'text' },
    ],
    outputs: [
      { name: 'value', label: 'Value', path: 'value' },
      { name: 'text', label: 'Text', path: 'text' },
    ],
  },
  {
    type: 'text_template',
    tool: 'text_template',
    label: 'Text template',
    color: '#1f6feb',
    icon: 'text',
    inputs: [
      { name: 'template', label: 'Text with {{name}}', widget: 'textarea', required: true },
      { name: 'values', label: 'Values (name and value)', widget: 'rows' },
    ],
    outputs: [{ name: 'text', label: 'Text', path: 'text' }],
  },
  {
    type: 'http_get',
    tool: 'http_get',
    label: 'HTTP GET',
    color: '#0f8a6d',
    icon: 'world-download',
    inputs: [url, headers],
    outputs: answer,
  },
  {
    type: 'http_request',
    tool: 'http_request',
    label: 'HTTP request',
    color: '#b4540a',
    icon: 'world-upload',
    inputs: [
      {
        name: 'method',
        label: 'Method',
        widget: 'select',
        default: 'POST',
        required: true,
        options: choices(sendMethods),
      },
      url,
      headers,
      { name: 'body', label: 'Body', widget: 'json' },
    ],
    outputs: answer,
  },
  {
    type: 'condition',
    tool: 'condition',
    label: 'Condition',
    color: '#a23b72',
    icon: 'git-branch',
    inputs: [
      { name: 'left', label: 'Value', widget: 'json' },
      {
        name: 'operator',
        label: 'Operator',
        widget: 'select',
        default: 'equals',
        required: true,
        options: choices(operators),
      },
      { name: 'right', label: 'Compare with', widget: 'json' },
    ],
    outputs: [
      { name: 'true', label: 'True', path: 'value', branch: true },
      { name: 'false', label: 'False', path: 'value', branch: false },
      { name: 'value', label: 'Result', path: 'value' },
    ],
  },
  {
    type: 'delay',
    tool: 'delay',
    label: 'Wait',
    color: '#6b7280',
    icon: 'clock',
    inputs: [{ name: 'seconds', label: 'Seconds', widget: 'number', required: true, default: 1 }],
    outputs: [{ name: 'waited', label: 'Seconds', path: 'waited' }],
  },
  {
    type: 'notify',
    tool: 'notify',
    label: 'Send notification',
    color: '#c2410c',
    icon: 'bell',
    inputs: [
      { name: 'title', label: 'Title', widget: 'text', required: true },
      { name: 'body', label: 'Message', widget: 'textarea' },
      {
        name: 'level',
        label: 'Level',
        widget: 'select',
        default: 'info',
        options: choices(['info', 'success', 'warning', 'error']),
      },
      { name: 'link', label: 'Link', widget: 'text' },
    ],
    outputs: [{ name: 'id', label: 'Notification', path: 'id' }],
  },
  {
    type: 'confirm_send',
    tool: 'confirm_send',
    label: 'Ask to confirm',
    color: '#b91c1c',
    icon: 'user-check',
    inputs: [
      { name: 'title', label: 'Title', widget: 'text', required: true },
      { name: 'summary', label: 'Summary', widget: 'textarea', required: true },
    ],
    outputs: [{ name: 'confirmed', label: 'Confirmed', path: 'confirmed' }],
  },
];
