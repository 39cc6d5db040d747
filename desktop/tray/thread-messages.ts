import type { Mark, TrayState } from './picture.ts';

/** Class of the tray's hidden window; other programs of this user find it by this name. */
export const CLASS = 'AlmirahUploaderTray';
/** Menu commands. */
export const COMMAND = { open: 1, pause: 2, quit: 3 } as const;
/** Window messages of Windows and our own: `SHOW` redraws the icon. */
export const WM = { CLOSE: 0x10, DESTROY: 0x02, COMMAND: 0x111, ICON: 0x8001, SHOW: 0x8002 } as const;

/** Initial data of the thread. */
export interface ThreadData {
  picture: TrayState;
  /** PNG of each mark, by width in pixels. */
  icons: Record<Mark, Record<number, Uint8Array>>;
  /** A single number, 1 once the icon has been removed. */
  ended: Int32Array;
}
/** Messages of the thread: its window handle, a chosen command, or an error. */
export type ThreadMessage =
  | { kind: 'window'; window: bigint }
  | { kind: 'failed'; why: string }
  | { kind: 'chosen'; what: 'open' | 'pause' | 'resume' | 'quit' };
