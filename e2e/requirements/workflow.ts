import { from } from './requirement.ts';

export const workflow = [
  ...from('Workflow definition', {
    'WORKFLOW-01':
      'A definition stores name, description, `inputSchema` (a JSON Schema object), the compiled `plan`, publication state and owner (the current user).',
    'WORKFLOW-02': '`layout` maps the index of a compiled step to its position on the canvas.',
    'WORKFLOW-03':
      'The optional `graph` `{nodes, edges}` is kept verbatim, sticky-note nodes included.',
    'WORKFLOW-04': 'The revision is incremented on update.',
    'WORKFLOW-05': '`{{inputs.name}}` is replaced in the goal and in any node argument.',
    'WORKFLOW-06': 'A placeholder that is the whole value keeps the type of the JSON value.',
    'WORKFLOW-07': 'A placeholder embedded in text is rendered as a string.',
    'WORKFLOW-08': '`{{steps.N.result...}}` is replaced by the result of that step.',
    'WORKFLOW-09': '`{{node.<id>.result}}` is replaced by the result of that node.',
    'WORKFLOW-10': "`@file:<input>` is swapped for the current plugin's FileRef at dispatch.",
    'WORKFLOW-11': 'An input annotated `format: host-file` is a file upload picker.',
    'WORKFLOW-12':
      'An input annotated `x-host-auto: shared-directory` makes the host mint a shared scratch directory, granted to every eligible plugin.',
    'WORKFLOW-13': "An input annotated `x-host-enum` is a dropdown filled by a plugin's list tool.",
  }),
  ...from('Workflows', {
    'WORKFLOW-14': '`GET /api/workflows` answers the definitions of the current user.',
    'WORKFLOW-15': '`GET /api/workflows/{workflowId}` answers one definition.',
    'WORKFLOW-16':
      '`POST /api/workflows` `{name, description, inputSchema, plan, layout?, graph?}` answers the created definition.',
    'WORKFLOW-17': '`PUT /api/workflows/{workflowId}` takes the editable definition.',
    'WORKFLOW-18': '`POST /api/workflows/{workflowId}/publish` takes `{published}`.',
    'WORKFLOW-19': '`DELETE /api/workflows/{workflowId}` removes the definition.',
    'WORKFLOW-20':
      '`POST /api/workflows/{workflowId}/run` `{inputs, config, files?}` answers `{runId}`, observed on the agent stream.',
  }),
  ...from('Workflow publication', {
    'WORKFLOW-21':
      '`{published: true}` publishes a definition and `{published: false}` takes it back.',
    'WORKFLOW-22':
      'A published workflow is a tool `run_workflow_<id>` in the live tool catalog; an unpublished one is not.',
  }),
  ...from('What the service does', {
    'WORKFLOW-23':
      'A workflow can be run manually, by the model as a tool, or through the visual flow builder.',
  }),
  ...from('Behaviours tied to endpoints', {
    'WORKFLOW-24':
      'A workflow invoked by the model does not pause for approval inside the tool call; it uses the permissions of the outer chat call.',
    'WORKFLOW-25': 'A manual workflow run keeps the approval per step.',
    'WORKFLOW-26': 'Steps of the same dependency level run in parallel.',
    'WORKFLOW-27': 'A dependent step starts only after all its prerequisites complete.',
  }),
  ...from('Behaviours tied to endpoints; Errors', {
    'WORKFLOW-28': 'Saving rejects nested workflow tools.',
  }),
  ...from('Errors', {
    'WORKFLOW-29':
      'Saving rejects `{{inputs.*}}` references that the input schema does not declare.',
    'WORKFLOW-30':
      'Running rejects missing required inputs, validated against the basic JSON Schema types.',
  }),
];
