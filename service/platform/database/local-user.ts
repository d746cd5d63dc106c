/** Everything belongs to the one local user. */
export const localUser = 1;
