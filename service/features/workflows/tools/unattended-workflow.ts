import { workflowToolName } from './workflow-tools.ts';

/**
 * Facet of tools that run the workflow of `workflowId` later or unattended: a rule that allows it
 * in a chat does not allow these.
 */
export const unattendedWorkflow = ({
  workflowId,
}: Readonly<Record<string, unknown>>): { tool: string; grants: false } | undefined =>
  typeof workflowId === 'string'
    ? { tool: workflowToolName(workflowId), grants: false }
    : undefined;
