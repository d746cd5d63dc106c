import { expect, it } from 'vitest';
import { AiMode, IsolationReport, SourceKind } from '../../../service/contract/index.ts';
import en from '../../../service/messages/en.json' with { type: 'json' };

// The other languages have the keys of English.
it('each model backend and each kind of source has a label', () => {
  const modes = [...AiMode.options].sort();
  expect(Object.keys(en.shell.model.mode).sort()).toEqual(modes);
  expect(Object.keys(en.shell.modelPicker.mode).sort()).toEqual(modes);
  const kinds = Object.keys(en.shell.store.kinds).sort();
  expect(kinds).toEqual(['auto', ...SourceKind.options].sort());
});

it('each value of the isolation report has its label', () => {
  const { filesystem, network, resourceLimits: limits } = IsolationReport.shape;
  for (const [name, { options }] of Object.entries({ filesystem, network, limits }))
    expect(Object.keys(en.shell.diagnostics.value[name as 'limits']).sort()).toEqual(
      [...options].sort(),
    );
});
