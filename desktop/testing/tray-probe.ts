import { windowsFfi, utf16 } from '#desktop/system/ffi.ts';

/*
 * Run by the Windows runtime as another program of the same user: finds the tray's hidden window, posts messages to it, and
 * reports what is on the screen. Arguments: window class, then message, wparam and lparam to post.
 */
const [CLASS = '', ...numbers] = process.argv.slice(2);
const [p, number] = ['pointer', 'uint32'];
const { functions: user } = windowsFfi()!.dlopen('user32.dll', {
  FindWindowW: { arguments: ['buffer', p!], return: p! },
  FindWindowExW: { arguments: [p!, p!, 'buffer', p!], return: p! },
  PostMessageW: { arguments: [p!, number!, 'uint64', 'int64'], return: 'int32' },
});
const find = (name: string): bigint => BigInt(user.FindWindowW(utf16(name), 0n));
const tray = find(CLASS);
const [message, w = 0, l = 0] = numbers.map(Number);
if (message !== undefined) user.PostMessageW(tray, message, BigInt(w), BigInt(l));
const bar = find('Shell_TrayWnd');
const icon = bar === 0n ? 0n : BigInt(user.FindWindowExW(bar, 0n, utf16('__wine_tray_icon'), 0n));
const seen = { window: tray !== 0n, icon: icon !== 0n, menu: find('#32768') !== 0n };
process.stdout.write(`${JSON.stringify(seen)}\n`);
