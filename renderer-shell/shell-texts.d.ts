/** Groups of the shell's texts, see `message-groups.ts`. */
declare module '*&shell' {
  interface Texts {
    readonly [name: string]: string | Texts;
  }
  export const texts: Texts;
}

/** Groups of the service's texts, by code. */
declare module '*&service' {
  export const texts: Readonly<Record<string, string>>;
}
