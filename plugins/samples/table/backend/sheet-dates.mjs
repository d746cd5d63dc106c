const DAY_MS = 86_400_000;
/** Ids of Excel's built-in formats for dates and times. */
const builtIn = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

/**
 * Returns which cell styles show a number as a date.
 * @param {{ codes: Map<number, string>, styles: number[] }} found
 */
export function dateFormats({ codes, styles }) {
  const dated = styles.map((format) => {
    const code = codes.get(format);
    if (code === undefined) return builtIn.some(([from, to]) => format >= from && format <= to);
    // Colours, quoted words and escaped characters are not part of the pattern.
    return /[ymdhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\.|_.|General/gi, ''));
  });
  return (/** @type {number} */ style) => dated[style] ?? false;
}

/**
 * Formats a date as `2026-03-01`, with a time as `2026-03-01 10:30:00`, and a time alone as
 * `10:30:00`.
 * @param {number} serial days since the first day of the workbook's calendar
 * @param {boolean} date1904 true for the calendar of old Macs
 */
export function dateOf(serial, date1904) {
  // Excel counts 29 February 1900, which did not exist.
  const days = date1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial;
  const time = new Date(Math.round((days - 25_569) * 86_400) * 1000);
  if (Number.isNaN(time.getTime())) return serial;
  const iso = time.toISOString();
  if (serial >= 0 && serial < 1) return iso.slice(11, 19);
  return Number.isInteger(serial) ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

/** @param {string} date as `2026-03-01` */
export const serialOf = (date) => Date.parse(`${date}T00:00:00Z`) / DAY_MS + 25_569;

/** @param {unknown} value */
export function isDay(value) {
  if (typeof value !== 'string' || !/^(?:19|20|21)\d\d-\d\d-\d\d$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  // Before March 1900 Excel's calendar differs.
  return time >= Date.UTC(1900, 2, 1) && new Date(time).toISOString().startsWith(value);
}
