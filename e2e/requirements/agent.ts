import { from } from './requirement.ts';

export const agent = [
  ...from('AgentPlan and runs', {
    'AGENT-01': 'An AgentPlan is a DAG: `steps`, each with a `dependsOn` list.',
    'AGENT-02':
      'Step arguments may use `steps.N.result` of an earlier step, also as `{{steps.N.result...}}`.',
    'AGENT-03': 'Step arguments may use `last.result`.',
    'AGENT-04': 'A persisted run holds the plan, the executions and the ordered audit events.',
    'AGENT-05': 'A persisted run holds the plugin-sandbox posture it was created under.',
  }),
  ...from('What the service does', {
    'AGENT-06': 'Steps whose dependencies are done run concurrently.',
  }),
  ...from('Agent', {
    'AGENT-07': '`POST /api/agent/run` `{goal, config, workflow?, files?}` answers `{runId}`.',
    'AGENT-08': '`workflow` of a run is an AgentPlan of the caller.',
    'AGENT-09':
      '`files` of a run are items of `{name, refs | nativePath | createSharedDirectory}`.',
    'AGENT-10': '`POST /api/agent/batch` `{goals, config, capabilityMode?}` answers `{runIds}`.',
    'AGENT-11': '`GET /api/agent/stream?runId=` sends the events of the run.',
    'AGENT-12':
      '`POST /api/agent/{runId}/approve` without a body, or with an edited AgentPlan, releases the gate.',
    'AGENT-13': '`POST /api/agent/{runId}/cancel` cancels the run.',
    'AGENT-14': '`GET /api/agent/runs` answers the persisted run summaries, newest first.',
    'AGENT-15': '`GET /api/agent/runs?q=` searches goal, summary and error text.',
    'AGENT-16': '`GET /api/agent/runs/{runId}` answers plan, executions and ordered audit events.',
    'AGENT-17': '`POST /api/agent/runs/{runId}/resume` resumes the run.',
    'AGENT-18': '`POST /api/agent/runs/{id}/fork` makes a new run.',
    'AGENT-19': '`POST /api/agent/runs/{id}/rewind` takes `{keepSteps}`.',
  }),
  ...from('Agent run (by events)', {
    'AGENT-20':
      'A started run (run, batch or workflow run) streams `plan_token`, then `plan_ready`.',
    'AGENT-21': 'With a plan supplied by the caller the drafting of a plan is skipped.',
  }),
  ...from('Agent run (by events); Errors', {
    'AGENT-22': 'A plan supplied by the caller is validated before any tool runs.',
  }),
  ...from('Agent run (by events)', {
    'AGENT-23': 'When the plan is ready the runner pauses with `plan_approval_requested`.',
    'AGENT-24': 'Approving the plan without a body runs it as it is.',
    'AGENT-25': 'Approving the plan with an edited AgentPlan adopts the edits.',
    'AGENT-26': 'An approved run executes its steps with `step_start` and `step_complete`.',
    'AGENT-27':
      'A step that needs approval waits with `step_approval_requested` and runs once approved.',
    'AGENT-28': 'When all steps are done the run ends with `complete`.',
    'AGENT-29': 'A failure at any stage sends `error` and closes the stream.',
    'AGENT-30':
      'Cancel at any stage stops cooperatively at the next safe point, and the stream ends without `complete`.',
    'AGENT-31':
      'A failed, cancelled or restart-interrupted run can be resumed: completed steps are reused, unfinished ones remain, and the plan pauses for review.',
    'AGENT-32':
      'Forking a finished run makes a new peer run with the copied plan, reviewed before execution.',
    'AGENT-33':
      'Rewind with `keepSteps` truncates the plan to the first N steps and inherits only their earlier completed executions.',
    'AGENT-34': 'A rewound run resumes under plan review.',
    'AGENT-35': 'Rewind does not roll back the side effects of the dropped steps.',
  }),
  ...from('Agent stream (GET /api/agent/stream?runId=)', {
    'AGENT-36': 'Event `plan_token` `{text}` is a chunk of the draft plan.',
    'AGENT-37': 'Event `plan_ready` `{plan: AgentPlan}` carries the final plan.',
    'AGENT-38':
      'Event `plan_approval_requested` carries the gate details while the runner waits for plan approval.',
    'AGENT-39': 'Event `step_start` carries the step descriptor when a step began.',
    'AGENT-40': 'Event `step_complete` carries the step result when a step finished.',
    'AGENT-41':
      'Event `step_approval_requested` carries the gate details before a step that needs approval runs.',
    'AGENT-42': 'Event `complete` carries the final result when the run finished successfully.',
    'AGENT-43': 'Event `error` `{message}` says that the agent run failed.',
    'AGENT-44': 'Both approval events are released by `POST /api/agent/{runId}/approve`.',
  }),
  ...from('Behaviours tied to endpoints', {
    'AGENT-45':
      'A batch with `capabilityMode` `read-only` restricts every child run to read-effect tools.',
  }),
  ...from('Behaviours tied to endpoints; Errors', {
    'AGENT-46':
      'In a read-only batch a plan with any non-read step is rejected before any tool runs.',
  }),
  ...from('Errors', {
    'AGENT-47':
      'Resume, fork or rewind of a run created under a sandboxed posture is refused while the host runs plugins unsandboxed.',
  }),
  ...from('Behaviours tied to endpoints', {
    'AGENT-48': 'Tools are disabled during planning.',
  }),
  ...from('What the service does', {
    'AGENT-49': 'A run may use the optional memory.',
  }),
];
