import type { ClientCapabilities, ServerContext } from '@modelcontextprotocol/server';
import type { Tool } from '../tools/index.ts';
import { plainArguments } from './plain-arguments.ts';
import type { ServedJudgement } from './served-gate.ts';
import { textOf } from '../../messages/index.ts';

/** A connection of the older protocol, whose client says once what it can do. */
export interface Peer {
  getClientCapabilities(): ClientCapabilities | undefined;
}

/** Asks the person of the client for a decision, where the client can. */
export async function loadApproval() {
  const { CLIENT_CAPABILITIES_META_KEY, inputRequired, inputResponse } =
    await import('@modelcontextprotocol/server');
  return {
    /** Whether the client can show a form: said once in the older protocol, with each call in the newer. */
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

/** `elicitation: {}` is a form, as it was before there were other kinds. */
function showsForms(capabilities: ClientCapabilities | undefined): boolean {
  const elicitation = capabilities?.elicitation;
  if (elicitation === undefined) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

/** Why a call is refused whose client can ask nobody, and what would let it run. */
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
