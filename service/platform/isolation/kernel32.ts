/** BOOL of Windows: 0 is false. */
export type Bool = number;
/** 0 is no handle. */
export type Handle = number | bigint;

/** The functions of Windows that are used, under their own names. They never throw. */
export interface Kernel32 {
  CreateJobObjectW(attributes: null, name: null): Handle;
  SetInformationJobObject(job: Handle, kind: number, bytes: Uint8Array, length: number): Bool;
  OpenProcess(access: number, inherit: Bool, pid: number): Handle;
  AssignProcessToJobObject(job: Handle, process: Handle): Bool;
  /** Returns 0 if the process has ended. */
  WaitForSingleObject(process: Handle, limitMs: number): number;
  CloseHandle(handle: Handle): Bool;
  GetLastError(): number;
}

/** Imports the library for native calls; only on Windows. */
export async function openKernel32(): Promise<Kernel32> {
  const { load } = await import('koffi');
  const library = load('kernel32.dll');
  const native = (name: string, result: string, takes: string[]): unknown =>
    library.func('__stdcall', name, result, takes);
  const functions: Record<keyof Kernel32, unknown> = {
    CreateJobObjectW: native('CreateJobObjectW', 'intptr_t', ['void *', 'void *']),
    SetInformationJobObject: native('SetInformationJobObject', 'int', [
      ...['intptr_t', 'int', 'uint8_t *', 'uint32_t'],
    ]),
    OpenProcess: native('OpenProcess', 'intptr_t', ['uint32_t', 'int', 'uint32_t']),
    AssignProcessToJobObject: native('AssignProcessToJobObject', 'int', ['intptr_t', 'intptr_t']),
    WaitForSingleObject: native('WaitForSingleObject', 'uint32_t', ['intptr_t', 'uint32_t']),
    CloseHandle: native('CloseHandle', 'int', ['intptr_t']),
    GetLastError: native('GetLastError', 'uint32_t', []),
  };
  return functions as Kernel32;
}
