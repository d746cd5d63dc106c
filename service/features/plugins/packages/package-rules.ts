import { archiveLimits, type ArchiveRules } from '../../../platform/archives/archive-index.ts';
import { nameProblem, sameNameKey, segmentsOf } from '../../../platform/archives/archive-names.ts';
import { recordName } from './plugin-record.ts';
import { msg } from '../../../messages/index.ts';

const maxEntries = 10_000;

/** A package must unpack identically on every system that the host supports. */
export const packageRules: ArchiveRules = {
  ...archiveLimits(maxEntries),
  nameProblem: (name) =>
    sameNameKey(segmentsOf(name)[0] ?? '') === recordName
      ? msg('package.reservedName')
      : nameProblem(name),
  nameKey: sameNameKey,
};
