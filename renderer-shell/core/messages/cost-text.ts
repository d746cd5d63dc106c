import type { Cost } from '../../../service/contract/index.ts';

/** Returns an amount with its currency, which may be any string. */
export const costText = ({ amount, currency }: Cost, language: string): string => {
  const digits = amount !== 0 && amount < 0.1 ? 4 : 2;
  const number = amount.toLocaleString(language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  });
  return `${number} ${currency}`;
};
