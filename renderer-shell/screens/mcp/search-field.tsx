import { TextInput } from '@mantine/core';

/** Fewer are seen at once. */
const searchedFrom = 8;

interface SearchFieldProps {
  label: string;
  /** Number of entries before the search. */
  count: number;
  query: string;
  onChange: (query: string) => void;
}

export function SearchField({ label, count, query, onChange }: SearchFieldProps) {
  if (count < searchedFrom) return null;
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
