import type { KeyboardEvent } from 'react';
import { useEffect } from 'react';
import type { WorkflowEditor } from '../../state/workflows/workflow-editor.ts';
import { isTyping } from '../../core/is-typing.ts';
import type { OpenWorkflow } from './workflow-context.ts';
import type { WorkflowActions } from './use-workflow-actions.ts';

/** Handles undo keys outside of text fields, where the keys undo typing. */
export function useUndoKeys(editor: WorkflowEditor): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const isMeant = (event.ctrlKey || event.metaKey) && !event.altKey && !isTyping(event.target);
      if (!isMeant || event.defaultPrevented) return;
      const key = event.key.toLowerCase();
      if (key === 'y' || (key === 'z' && event.shiftKey)) editor.redo();
      else if (key === 'z') editor.undo();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [editor]);
}

/** Handles keys while the canvas has the focus. */
export function canvasKeys(
  workflow: OpenWorkflow,
  actions: WorkflowActions,
): (event: KeyboardEvent) => void {
  const { selection, select } = workflow;
  const withModifier: Record<string, () => void> = {
    c: actions.copy,
    x: () => {
      actions.copy();
      actions.remove();
    },
    v: actions.paste,
    d: actions.duplicate,
    a: actions.selectAll,
  };
  const alone: Record<string, () => void> = {
    Delete: actions.remove,
    Backspace: actions.remove,
    Escape: () => select([]),
  };
  return (event) => {
    if (isTyping(event.target) || event.altKey || event.shiftKey) return;
    const isModified = event.ctrlKey || event.metaKey;
    const action = isModified ? withModifier[event.key.toLowerCase()] : alone[event.key];
    if (!action || (event.key === 'Escape' && selection.size === 0)) return;
    event.preventDefault();
    action();
  };
}
