import type { Ffi } from '#desktop/system/ffi.ts';

const [p, u, i] = ['pointer', 'uint32', 'int32'] as const;
const WINDOW_PROC = { arguments: [p, u, 'uint64', 'int64'], return: 'int64' };
const call = (returned: string, ...types: string[]) => ({ arguments: types, return: returned });

/** The functions of user32.dll that a tray icon needs, as documented by Microsoft. */
export function user32(ffi: Ffi) {
  const { functions, lib } = ffi.dlopen('user32.dll', {
    RegisterClassExW: call('uint16', 'buffer'),
    RegisterWindowMessageW: call(u, 'buffer'),
    CreateWindowExW: call(p, u, 'buffer', 'buffer', u, i, i, i, i, p, p, p, p),
    DefWindowProcW: WINDOW_PROC,
    DestroyWindow: call(i, p),
    PostQuitMessage: call('void', i),
    PostMessageW: call(i, p, u, 'uint64', 'int64'),
    GetMessageW: call(i, 'buffer', p, u, u),
    TranslateMessage: call(i, 'buffer'),
    DispatchMessageW: call('int64', 'buffer'),
    SetThreadDpiAwarenessContext: call(p, 'int64'),
    GetDpiForSystem: call(u),
    GetSystemMetricsForDpi: call(i, i, u),
    CreateIconFromResourceEx: call(p, 'buffer', u, i, u, i, i, u),
    CreatePopupMenu: call(p),
    AppendMenuW: call(i, p, u, 'uint64', 'buffer'),
    SetMenuDefaultItem: call(i, p, u, u),
    DestroyMenu: call(i, p),
    EndMenu: call(i),
    SetForegroundWindow: call(i, p),
    TrackPopupMenu: call(i, p, u, i, i, i, p, p),
    GetCursorPos: call(i, 'buffer'),
  });
  return {
    ...functions,
    /** @returns the address of a window procedure. It is called on the thread that creates it. */
    windowProc: (called: (window: bigint, message: number, w: bigint, l: bigint) => bigint) =>
      lib.registerCallback(WINDOW_PROC, (window, message, w, l) =>
        called(BigInt(window as bigint), Number(message), BigInt(w as bigint), BigInt(l as bigint)),
      ),
  };
}

/** The function that shows notification icons. */
export const shell32 = (ffi: Ffi) =>
  ffi.dlopen('shell32.dll', { Shell_NotifyIconW: call('int32', 'uint32', 'buffer') }).functions;
/** The module handle of this program. */
export const moduleOf = (ffi: Ffi): bigint =>
  BigInt(
    ffi
      .dlopen('kernel32.dll', { GetModuleHandleW: call('pointer', 'pointer') })
      .functions.GetModuleHandleW(0n),
  );
