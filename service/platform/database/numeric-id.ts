/** Ids that the database gives are 32-bit numbers everywhere. */
const maxId = 2 ** 31 - 1;

/** Whether a text can be the id of a row; what no column of this type can hold is an id that nobody has. */
export const isId = (text: string): boolean => /^\d{1,10}$/.test(text) && Number(text) <= maxId;
