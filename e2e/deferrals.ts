/** What no test proves yet: id of the requirement -> why it is built later. */
export const deferrals: Readonly<Record<string, string>> = {};
