import type { Mark, Picture } from './picture.ts';

/** Class of the tray's hidden window, by which other programs of this user find it. */
export const CLASS = 'AlmirahUploaderTray';
/** Commands of the menu, as the window is told them. */
export const COMMAND = { open: 1, pause: 2, quit: 3 } as const;
/** What Windows tells the window, and what the program itself does: `SHOW` has a new picture drawn. */
export const WM = { CLOSE: 0x10, DESTROY: 0x02, COMMAND: 0x111, ICON: 0x8001, SHOW: 0x8002 } as const;

/** What the thread is begun with. */
export interface Begun {
  picture: Picture;
  /** PNG of each mark, by its width in pixels. */
  icons: Record<Mark, Record<number, Uint8Array>>;
  /** One number, which is 1 once the icon is gone. */
  ended: Int32Array;
}
/** What the thread tells: its window, what was chosen, and what it could not do. */
export type Told =
  | { kind: 'window'; window: bigint }
  | { kind: 'failed'; why: string }
  | { kind: 'chosen'; what: 'open' | 'pause' | 'resume' | 'quit' };
