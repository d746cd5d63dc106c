import { from } from './requirement.ts';

export const workflowNode = [
  ...from('Workflow definition', {
    'FLOW-01':
      'A plugin declares flow nodes in `manifest.flowNodes[]`: tool binding, label, color, icon, typed `inputs` and named `outputs`.',
    'FLOW-02':
      'The widget of a node input is `text`, `number`, `switch`, `select`, `textarea`, `json`, `analyze` or `rows`.',
    'FLOW-03': 'A node input may take its options from static `options`.',
    'FLOW-04':
      'A node input may take its options from a catalog `source`: a plugin list method mapped through value, label and labelSecondary.',
    'FLOW-05': 'A catalog `source` can be single or multi select.',
    'FLOW-06':
      'A node input may take its options from `context`: datasets derived from the value of another input, consumed through `optionsFromContext`.',
    'FLOW-07': 'The host ships built-in node declarations; one is `json_format`.',
  }),
];
