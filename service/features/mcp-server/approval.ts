import type { ClientCapabilities, ServerContext } from '@modelcontextprotocol/server';
import type { Tool } from '../tools/index.ts';
import { plainArguments } from './plain-arguments.ts';
import type { ServedJudgement } from './served-gate.ts';
import { textOf } from '../../messages/index.ts';

/** A connection of the older protocol, whose client declares its capabilities once. */
export interface Peer {
  getClientCapabilities(): ClientCapabilities | undefined;
}

/** Asks the user of the client for approval, if the client supports it. */
export async function loadApproval() {
  const { CLIENT_CAPABILITIES_META_KEY, inputRequired, inputResponse } =
    await import('@modelcontextprotocol/server');
  return {
    /**
     * True if the client can show a form; declared once in the older protocol and with each call in
     * the newer one.
     */
    canAsk(peer: Peer, { mcpReq }: ServerContext): boolean {
      const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } = {
        ...mcpReq.envelope,
      };
      return showsForms(envelope[CLIENT_CAPABILITIES_META_KEY] ?? peer.getClientCapabilities());
    },
    question: (tool: Tool, args: Record<string, unknown>, reason: string) =>
      inputRequired({
        inputRequests: {
          decision: inputRequired.elicit({
            message: `${tool.name} wants to run. ${reason}\n\n${plainArguments(args)}`,
            requestedSchema: {
              type: 'object',
              properties: { allow: { type: 'boolean', title: 'Allow this call once' } },
              required: ['allow'],
            },
          }),
        },
      }),
    decisionIn(responses: Record<string, unknown> | undefined): 'missing' | 'allow' | 'reject' {
      const response = inputResponse(responses, 'decision');
      if (response.kind !== 'elicit') return 'missing';
      const isAllowed = response.action === 'accept' && response.content?.['allow'] === true;
      return isAllowed ? 'allow' : 'reject';
    },
  };
}

/** `elicitation: {}` means forms, as before there were other kinds. */
function showsForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

/** The refusal of a call whose client cannot ask anybody, and what would allow it. */
export function approvalNeeded(
  { name }: Tool,
  { reason, suggestedRules, hookAsks }: ServedJudgement,
): string {
  const why = `${name} needs approval, and this MCP client cannot ask for it: it does not support elicitation. ${textOf(reason)}`;
  if (hookAsks === true || suggestedRules.length === 0)
    return `${why} No rule can grant this call. Use a client that supports elicitation.`;
  const rules = suggestedRules.length === 1 ? 'this rule' : 'these rules';
  return `${why} Use a client that supports elicitation, or add ${rules} to “Allow” under “Permission rules” in the settings of the host:\n${suggestedRules.join('\n')}`;
}
