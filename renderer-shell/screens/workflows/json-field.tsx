import { useState } from 'react';
import { jsonOrText } from '../../core/json.ts';
import { CodeEditor } from '../../ui/editor/code-editor.tsx';

interface JsonFieldProps {
  label: string;
  description?: string;
  value: unknown;
  /** Undefined if it is empty. Text that is not JSON is passed as a string. */
  onChange: (value: unknown) => void;
  isRequired?: boolean;
  lines?: number;
}

/** Edits any value as JSON; a string may be written without quotes. */
export function JsonField({
  label,
  description = '',
  value,
  onChange,
  isRequired = false,
  lines = 3,
}: JsonFieldProps) {
  const [typed, setTyped] = useState({ text: textOf(value), value });
  const isOwn = JSON.stringify(typed.value) === JSON.stringify(value);
  const text = isOwn ? typed.text : textOf(value);
  const write = (next: string) => {
    const read = valueOf(next);
    setTyped({ text: next, value: read });
    onChange(read);
  };
  return (
    <div>
      <p className="flow-label untrusted" aria-hidden>
        {label}
        {isRequired && ' *'}
      </p>
      {description !== '' && <p className="quiet plain untrusted">{description}</p>}
      <div className="flow-code">
        <CodeEditor label={label} value={text} onChange={write} lines={lines} />
      </div>
    </div>
  );
}

const valueOf = (text: string): unknown => (text.trim() === '' ? undefined : jsonOrText(text));

function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  // A string that would parse as another value keeps its quotes.
  return typeof valueOf(value) === 'string' ? value : JSON.stringify(value);
}
