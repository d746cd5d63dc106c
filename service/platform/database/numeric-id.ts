/** Ids from the database are 32-bit numbers on every type. */
const maxId = 2 ** 31 - 1;

/** Returns true for a text that can be the id of a row; larger numbers fit no column. */
export const isId = (text: string): boolean => /^\d{1,10}$/.test(text) && Number(text) <= maxId;
