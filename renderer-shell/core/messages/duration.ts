const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** `0.4 sec`, `12 sec`, `3 min 5 sec`, `2 hr 10 min`. */
export function durationText(ms: number, language: string): string {
  const unit = (value: number, name: 'second' | 'minute' | 'hour', digits = 0): string =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
    }).format(value);
  const elapsedMs = Math.max(0, ms);
  if (elapsedMs < minuteMs) return unit(elapsedMs / 1_000, 'second', elapsedMs < 10_000 ? 1 : 0);
  if (elapsedMs < hourMs)
    return `${unit(Math.floor(elapsedMs / minuteMs), 'minute')} ${unit(Math.floor((elapsedMs % minuteMs) / 1_000), 'second')}`;
  return `${unit(Math.floor(elapsedMs / hourMs), 'hour')} ${unit(Math.floor((elapsedMs % hourMs) / minuteMs), 'minute')}`;
}
