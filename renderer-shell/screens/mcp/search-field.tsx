import { TextInput } from '@mantine/core';

/** Shorter lists need no search field. */
const minSearchable = 8;

interface SearchFieldProps {
  label: string;
  /** Number of entries without the search. */
  count: number;
  query: string;
  onChange: (query: string) => void;
}

export function SearchField({ label, count, query, onChange }: SearchFieldProps) {
  if (count < minSearchable) return null;
  return (
    <TextInput
      size="xs"
      mb="xs"
      aria-label={label}
      placeholder={label}
      value={query}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
