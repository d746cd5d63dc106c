/** Hooks, rules and mode around every call of a tool, and what a person says to those that must be asked. */
export { createGate, type GatePorts } from './call-gate.ts';
export { type Answered, checkOption, questionOf, takeAnswer } from './decision.ts';
export type { CallGate, JudgedCall, Judgement } from './judged-call.ts';
export { SessionRules } from './session-rules.ts';
