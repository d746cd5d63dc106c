import { workflowToolName } from './workflow-tools.ts';

/** What runs, later or unwatched, the workflow of `workflowId`: to let it run in a chat does not allow that. */
export const unattendedWorkflow = ({
  workflowId,
}: Readonly<Record<string, unknown>>): { tool: string; grants: false } | undefined =>
  typeof workflowId === 'string'
    ? { tool: workflowToolName(workflowId), grants: false }
    : undefined;
