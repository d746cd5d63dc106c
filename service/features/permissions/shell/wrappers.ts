import { runners } from './runners.ts';
import type { Wrapper } from './wrapper.ts';
import { wrappers } from './wrapper-table.ts';

/** Programs that run commands in the language of the shell. */
export const shells = new Set([
  ...['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'fish', 'rbash', 'csh', 'tcsh'],
  ...['osh', 'ysh', 'yash', 'posh', 'oksh', 'lksh', 'pdksh', 'hush'],
]);

const loader: Wrapper = {
  flags: 'verify inhibit-cache',
  values: 'library-path inhibit-rpath audit preload argv0 glibc-hwcaps-prepend glibc-hwcaps-mask',
  idle: 'list list-tunables help version',
};

/** Returns the syntax of a wrapper; undefined for a program that is not known to run another. */
export function wrapperOf(name: string): Wrapper | undefined {
  if (Object.hasOwn(runners, name)) return runners[name];
  if (/^ld(?:-linux|-musl|-elf|\d*)?[\w.-]*\.so[\d.]*$/.test(name)) return loader;
  return Object.hasOwn(wrappers, name) ? wrappers[name] : undefined;
}
