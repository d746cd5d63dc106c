import { json, jsonParseLinter } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { linter } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup } from 'codemirror';
import { useEffect, useRef } from 'react';
import { styleNonce } from '../../core/theme/style-nonce.ts';

/** Props of the code editor. */
export interface CodeEditorProps {
  /** The accessible name of the field. */
  label: string;
  value: string;
  /** The editor is read-only without it. */
  onChange?: (value: string) => void;
  language?: 'json' | 'text';
  /** Height in lines; the editor grows with its text up to four times that. */
  lines?: number;
}

/** Edits code with highlighting, folding, search, and inline errors for JSON. */
export function CodeEditor({
  label,
  value,
  onChange,
  language = 'json',
  lines = 6,
}: CodeEditorProps) {
  const container = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const changed = useRef(onChange);
  const lastValue = useRef(value);
  useEffect(() => {
    changed.current = onChange;
  }, [onChange]);
  const readOnly = onChange === undefined;
  useEffect(() => {
    if (!container.current) return;
    const editor = new EditorView({
      parent: container.current,
      state: EditorState.create({
        doc: lastValue.current,
        extensions: [
          ...extensionsOf({ label, language, lines, readOnly }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged) return;
            lastValue.current = state.doc.toString();
            changed.current?.(lastValue.current);
          }),
        ],
      }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, [label, language, lines, readOnly]);
  // Typed text returns as the value; only a different text replaces the content.
  useEffect(() => {
    const editor = view.current;
    if (!editor || value === lastValue.current) return;
    lastValue.current = value;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);
  return <div className="code-editor" ref={container} />;
}

interface EditorOptions {
  label: string;
  language: 'json' | 'text';
  lines: number;
  readOnly: boolean;
}

const lineHeight = 20;

/** Uses the tokens of the shell, so that both schemes match the colors in answers. */
const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--warn)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--accent)' },
  { tag: tags.comment, color: 'var(--text-quiet)' },
]);

function extensionsOf({ label, language, lines, readOnly }: EditorOptions): Extension[] {
  const heights = {
    minHeight: `${lines * lineHeight}px`,
    maxHeight: `${lines * 4 * lineHeight}px`,
  };
  return [
    basicSetup,
    EditorView.cspNonce.of(styleNonce()),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    EditorView.theme({
      '&': { ...heights, fontSize: '13px', color: 'inherit', background: 'transparent' },
      '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', overflow: 'auto' },
      '.cm-content': { minHeight: heights.minHeight, caretColor: 'currentColor' },
      '.cm-gutters': { background: 'transparent', color: 'var(--text-quiet)', border: '0' },
      '.cm-cursor': { borderLeftColor: 'currentColor' },
      '.cm-activeLine, .cm-activeLineGutter': { background: 'transparent' },
    }),
    EditorState.readOnly.of(readOnly),
    syntaxHighlighting(colours),
    ...(language === 'json' ? [json(), ...(readOnly ? [] : [linter(emptyIsFine)])] : []),
  ];
}

/** An empty field is valid, and so is a reference to a later value. */
const needsNoCheck = /^\s*(?:\{\{[^{}]+\}\}\s*)?$/;

function emptyIsFine(view: EditorView) {
  return needsNoCheck.test(view.state.doc.toString()) ? [] : jsonParseLinter()(view);
}
