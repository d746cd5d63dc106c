const KILO = 1_000;
const STEPS = [
  { unit: 'gigabyte', bytes: KILO ** 3 },
  { unit: 'megabyte', bytes: KILO ** 2 },
  { unit: 'kilobyte', bytes: KILO },
] as const;

/** Returns a size for people: `12 MB`, `3.4 MB`, `640 kB`, `12 byte`. */
export function sizeText(bytes: number, language: string): string {
  const step = STEPS.find((candidate) => bytes >= candidate.bytes);
  const value = bytes / (step?.bytes ?? 1);
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: step?.unit ?? 'byte',
    unitDisplay: step ? 'short' : 'long',
    maximumFractionDigits: step && value < 10 ? 1 : 0,
  }).format(value);
}

const AGES = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const;

/** `2 minutes ago`; both times are ISO 8601 or milliseconds. */
export function ageText(then: string, now: number, language: string): string {
  const seconds = Math.max(0, (now - Date.parse(then)) / 1_000);
  const age = AGES.find((candidate) => seconds >= candidate.seconds);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return age
    ? format.format(-Math.floor(seconds / age.seconds), age.unit)
    : format.format(0, 'second');
}

export const exactTime = (then: string, language: string): string =>
  new Date(then).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' });
