/** JobObjectExtendedLimitInformation of JOBOBJECTINFOCLASS. */
export const extendedLimitClass = 9;
/** JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE */
export const killOnJobClose = 0x2000;

/**
 * LimitFlags of JOBOBJECT_BASIC_LIMIT_INFORMATION, with which the larger structure begins: two
 * LARGE_INTEGERs are before it.
 */
export const limitFlagsOffset = 16;

/** JOBOBJECT_EXTENDED_LIMIT_INFORMATION: basic limits, IO_COUNTERS (48 bytes), four sizes. */
const structureBytes = { 4: 48 + 48 + 4 * 4, 8: 64 + 48 + 4 * 8 } as const;

/** The structure with nothing but kill-on-close set, for a process whose pointers are so wide. */
export function killOnCloseLimits(pointerBytes: 4 | 8): Uint8Array {
  const bytes = new Uint8Array(structureBytes[pointerBytes]);
  new DataView(bytes.buffer).setUint32(limitFlagsOffset, killOnJobClose, true);
  return bytes;
}

/** Of this process, by the name of its architecture as Node tells it. */
export function pointerBytesOf(architecture: NodeJS.Architecture): 4 | 8 {
  return architecture === 'ia32' || architecture === 'arm' ? 4 : 8;
}
