/** The user id of all data, since there is a single local user. */
export const localUser = 1;
