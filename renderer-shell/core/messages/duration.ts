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
  const whole = Math.max(0, ms);
  if (whole < minuteMs) return unit(whole / 1_000, 'second', whole < 10_000 ? 1 : 0);
  if (whole < hourMs)
    return `${unit(Math.floor(whole / minuteMs), 'minute')} ${unit(Math.floor((whole % minuteMs) / 1_000), 'second')}`;
  return `${unit(Math.floor(whole / hourMs), 'hour')} ${unit(Math.floor((whole % hourMs) / minuteMs), 'minute')}`;
}
