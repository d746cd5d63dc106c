// Lets the tests of a plugin import the kit by its name from any location.
import { register } from 'node:module';

const kit = new URL('./index.mjs', import.meta.url).href;
const hooks = `export function resolve(specifier, context, next) {
  return specifier === 'plugin-host-kit'
    ? { url: ${JSON.stringify(kit)}, shortCircuit: true }
    : next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
