import type { Platform } from '#server/desktop/contract.ts';
import program from '#desktop/build/packages/package.json' with { type: 'json' };

/** Such as `1.4.0`; raised by hand for each published change. */
export const VERSION: string = program.version;
export const platform = (): Platform => (process.platform === 'win32' ? 'win-x64' : 'linux-x64');
