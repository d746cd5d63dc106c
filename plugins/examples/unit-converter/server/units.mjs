/** Quantity of each unit, and its size in metres or kilograms. */
export const units = {
  m: ['length', 1],
  km: ['length', 1000],
  mile: ['length', 1609.344],
  foot: ['length', 0.3048],
  inch: ['length', 0.0254],
  kg: ['mass', 1],
  g: ['mass', 0.001],
  pound: ['mass', 0.45359237],
  ounce: ['mass', 0.028349523125],
};

/**
 * Converts an amount: `26.2 mile = 42.1648 km`.
 * @throws Error that says which value is invalid
 */
export function convert({ amount, from, to }) {
  for (const name of [from, to])
    if (!Object.hasOwn(units, name))
      throw new Error(`There is no unit ${name}. Units: ${Object.keys(units).join(', ')}.`);
  const [[kind, factor], [toKind, toFactor]] = [units[from], units[to]];
  if (kind !== toKind) throw new Error(`${from} is a ${kind} and ${to} a ${toKind}.`);
  const result = Number(((amount * factor) / toFactor).toPrecision(6));
  return `${amount} ${from} = ${result} ${to}`;
}
