/** JobObjectExtendedLimitInformation of JOBOBJECTINFOCLASS. */
export const extendedLimitClass = 9;
/** JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE */
export const killOnJobClose = 0x2000;

/**
 * LimitFlags of JOBOBJECT_BASIC_LIMIT_INFORMATION, the start of the larger structure: it follows
 * two LARGE_INTEGERs.
 */
export const limitFlagsOffset = 16;

/** JOBOBJECT_EXTENDED_LIMIT_INFORMATION: basic limits, IO_COUNTERS (48 bytes), four sizes. */
const structureBytes = { 4: 48 + 48 + 4 * 4, 8: 64 + 48 + 4 * 8 } as const;

/** Returns the structure with only kill-on-close set, for this pointer size. */
export function killOnCloseLimits(pointerBytes: 4 | 8): Uint8Array {
  const bytes = new Uint8Array(structureBytes[pointerBytes]);
  new DataView(bytes.buffer).setUint32(limitFlagsOffset, killOnJobClose, true);
  return bytes;
}

/** Returns the pointer size of an architecture, as Node names it. */
export function pointerBytesOf(architecture: NodeJS.Architecture): 4 | 8 {
  return architecture === 'ia32' || architecture === 'arm' ? 4 : 8;
}
