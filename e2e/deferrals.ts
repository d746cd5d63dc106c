/** Requirements without a test: id -> the reason for building it later. */
export const deferrals: Readonly<Record<string, string>> = {};
