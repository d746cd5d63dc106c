import { type Gate, PlanGate, type RunEvent, StepGate } from '../../../contract/index.ts';
import { endTypes } from '../runs/executions-of.ts';

/** Derives the gates that wait for a person from the events of a run, oldest first. */
export function openGates(events: readonly RunEvent[]): Gate[] {
  const open = new Map<string, Gate>();
  for (const { type, data } of events) {
    if (type === 'plan_approval_requested') keep(open, PlanGate.safeParse(data).data);
    else if (type === 'step_approval_requested') keep(open, StepGate.safeParse(data).data);
    else if (type === 'plan_approved' || type === 'plan_rejected')
      open.delete(String(data['gateId']));
    else if (type === 'step_approved' || type === 'step_complete')
      closeStep(open, Number(data['index']));
    // The host that continues a run asks again.
    else if (type === 'run_continued' || endTypes.includes(type)) open.clear();
  }
  return [...open.values()];
}

function keep(open: Map<string, Gate>, gate: Gate | undefined): void {
  if (gate) open.set(gate.gateId, gate);
}

function closeStep(open: Map<string, Gate>, index: number): void {
  for (const [id, gate] of open) if (gate.gate === 'step' && gate.index === index) open.delete(id);
}
