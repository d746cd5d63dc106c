/** As Windows gives it: 0 is false. */
export type Bool = number;
/** 0 is none. */
export type Handle = number | bigint;

/** What is used of Windows, under the names that it has there. Nothing here throws. */
export interface Kernel32 {
  CreateJobObjectW(attributes: null, name: null): Handle;
  SetInformationJobObject(job: Handle, kind: number, bytes: Uint8Array, length: number): Bool;
  OpenProcess(access: number, inherit: Bool, pid: number): Handle;
  AssignProcessToJobObject(job: Handle, process: Handle): Bool;
  /** 0 when it has ended. */
  WaitForSingleObject(process: Handle, limitMs: number): number;
  CloseHandle(handle: Handle): Bool;
  GetLastError(): number;
}

/** Loads the library that calls native code; nothing but Windows ever does. */
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
