/**
 * Applies hooks, rules and mode to every tool call, and the user's answers to approval requests.
 */
export { createGate, type GatePorts } from './call-gate.ts';
export { type Answered, checkOption, questionOf, takeAnswer } from './decision.ts';
export type { CallGate, JudgedCall, Judgement } from './judged-call.ts';
export { SessionRules } from './session-rules.ts';
