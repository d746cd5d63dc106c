/** Groups of the shell's texts, see `message-groups.ts`. */
declare module '*&shell' {
  interface Texts {
    readonly [name: string]: string | Texts;
  }
  export const texts: Texts;
}
