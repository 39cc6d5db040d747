import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { windowsFfi, utf16 } from '#desktop/system/ffi.ts';
import type { ThreadData, ThreadMessage } from './thread-messages.ts';
import { CLASS, COMMAND, WM } from './thread-messages.ts';
import type { Mark, TrayState } from './picture.ts';
import { moduleOf, shell32, user32 } from './user32.ts';

/*
 * The notification icon of Windows, in a thread of its own, because it blocks in Windows until a message arrives, and an open menu
 * blocks it while it is open. New state arrives through the port, with a window message that wakes the thread.
 */
const [ADD, MODIFY, DELETE, SET_VERSION] = [0, 1, 2, 4] as const;
/** NIF_MESSAGE, NIF_ICON, NIF_TIP and NIF_SHOWTIP. */
const FLAGS = 1 | 2 | 4 | 0x80;
const VERSION_4 = 4;
/** Events of an icon since version 4: click, selection by keyboard, context menu. */
const [SELECT, KEY_SELECT, CONTEXT_MENU] = [0x400, 0x401, 0x7b] as const;
const [GREY, SEPARATOR] = [1, 0x800] as const;
const PER_MONITOR_2 = -4n;
const SMALL_ICON_WIDTH = 49;
/** Version number of the icon format. */
const ICON_FORMAT = 0x0003_0000;

const { picture: first, icons, ended } = workerData as ThreadData;
const port = parentPort!;
const ffi = windowsFfi()!;
const user = user32(ffi);
const shell = shell32(ffi);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const send = (message: ThreadMessage): void => port.postMessage(message);
let picture: TrayState = first;

// Use the screen's scaling, so that icon and menu are sharp.
user.SetThreadDpiAwarenessContext(PER_MONITOR_2);
const width = Number(user.GetSystemMetricsForDpi(SMALL_ICON_WIDTH, user.GetDpiForSystem()));

const handles = new Map<Mark, bigint>();
function iconOf(mark: Mark): bigint {
  const known = handles.get(mark);
  if (known) return known;
  const widths = Object.keys(icons[mark]).map(Number);
  const drawn = widths.find((candidate) => candidate >= width) ?? widths.at(-1)!;
  const png = Buffer.from(icons[mark][drawn]!);
  const made = BigInt(
    user.CreateIconFromResourceEx(png, png.length, 1, ICON_FORMAT, width, width, 0) as bigint,
  );
  handles.set(mark, made);
  return made;
}

/** Calls Shell_NotifyIconW with the NOTIFYICONDATAW of the icon. */
function notify(what: number, window: bigint): boolean {
  const data = Buffer.allocUnsafeSlow(976).fill(0);
  data.writeUInt32LE(data.length, 0);
  data.writeBigUInt64LE(window, 8);
  data.writeUInt32LE(1, 16);
  data.writeUInt32LE(FLAGS, 20);
  data.writeUInt32LE(WM.ICON, 24);
  data.writeBigUInt64LE(iconOf(picture.mark), 32);
  data.write(`Almirah Uploader\n${picture.line}`.slice(0, 127), 40, 'utf16le');
  data.writeUInt32LE(VERSION_4, 816);
  return Number(shell.Shell_NotifyIconW(what, data)) !== 0;
}
function add(window: bigint): void {
  if (notify(ADD, window)) notify(SET_VERSION, window);
}

function openMenu(window: bigint): void {
  const menu = user.CreatePopupMenu();
  const entry = (flags: number, id: number, text: string) =>
    user.AppendMenuW(menu, flags, BigInt(id), utf16(text));
  entry(0, COMMAND.open, 'Open Almirah Uploader');
  entry(0, COMMAND.pause, picture.paused ? 'Resume' : 'Pause');
  entry(SEPARATOR, 0, '');
  // A single & would underline the next letter.
  entry(GREY, 0, picture.line.replaceAll('&', '&&'));
  entry(SEPARATOR, 0, '');
  entry(0, COMMAND.quit, 'Quit');
  user.SetMenuDefaultItem(menu, COMMAND.open, 0);
  const cursor = Buffer.allocUnsafeSlow(8);
  user.GetCursorPos(cursor);
  // Required by Windows: otherwise the menu stays open when the user clicks elsewhere.
  user.SetForegroundWindow(window);
  user.TrackPopupMenu(menu, 2, cursor.readInt32LE(0), cursor.readInt32LE(4), 0, window, 0n);
  user.DestroyMenu(menu);
}

function chosen(command: number): void {
  if (command === COMMAND.open) send({ kind: 'chosen', what: 'open' });
  else if (command === COMMAND.pause) send({ kind: 'chosen', what: picture.paused ? 'resume' : 'pause' });
  else if (command === COMMAND.quit) send({ kind: 'chosen', what: 'quit' });
}

/** Handles a window message. @returns whether it was handled. */
function take(window: bigint, message: number, w: bigint, l: bigint): boolean {
  if (message === WM.SHOW) {
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port))
      picture = next.message as TrayState;
    notify(MODIFY, window);
  } else if (message === WM.ICON) {
    const event = Number(l & 0xffffn);
    if (event === SELECT || event === KEY_SELECT) chosen(COMMAND.open);
    else if (event === CONTEXT_MENU) openMenu(window);
  } else if (message === WM.COMMAND) chosen(Number(w & 0xffffn));
  else if (message === taskbarCreated) add(window);
  else if (message === WM.CLOSE) {
    user.EndMenu();
    user.DestroyWindow(window);
  } else if (message === WM.DESTROY) {
    notify(DELETE, window);
    user.PostQuitMessage(0);
  } else return false;
  return true;
}

// Explorer broadcasts this message after a restart, when all icons are lost.
const taskbarCreated = Number(user.RegisterWindowMessageW(utf16('TaskbarCreated')));
const procedure = user.windowProc((window, message, w, l) => {
  try {
    if (take(window, message, w, l)) return 0n;
  } catch (error) {
    // The caller is Windows: nothing may be thrown.
    send({ kind: 'failed', why: String(error) });
  }
  return BigInt(user.DefWindowProcW(window, message, w, l));
});

const name = utf16(CLASS);
const kind = Buffer.allocUnsafeSlow(80).fill(0);
kind.writeUInt32LE(kind.length, 0);
kind.writeBigUInt64LE(procedure, 8);
const module = moduleOf(ffi);
kind.writeBigUInt64LE(module, 24);
kind.writeBigUInt64LE(ffi.getRawPointer(name), 64);
user.RegisterClassExW(kind);
const window = BigInt(
  user.CreateWindowExW(0, name, utf16('Almirah Uploader'), 0, 0, 0, 0, 0, 0n, 0n, module, 0n),
);
if (window !== 0n) {
  // If Explorer does not run yet, it broadcasts `TaskbarCreated` later.
  add(window);
  send({ kind: 'window', window });
  const message = Buffer.allocUnsafeSlow(48).fill(0);
  while (Number(user.GetMessageW(message, 0n, 0, 0)) > 0) {
    user.TranslateMessage(message);
    user.DispatchMessageW(message);
  }
}
Atomics.store(ended, 0, 1);
Atomics.notify(ended, 0);
