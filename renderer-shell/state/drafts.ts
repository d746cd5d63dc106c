/** Unsaved form input by form, until the page is closed. */
export type Drafts = Map<string, unknown>;
