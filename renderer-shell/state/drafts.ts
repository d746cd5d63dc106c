/** What was typed into forms and is not stored yet, by form; kept until the page is closed. */
export type Drafts = Map<string, unknown>;
