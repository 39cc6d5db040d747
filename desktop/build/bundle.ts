import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import sharp from 'sharp';
import { PAGE, SITE } from '#desktop/system/assets.ts';
import { WIDTHS, drawnIcon, iconFile } from '#desktop/tray/icons.ts';
import { MARKS } from '#desktop/tray/picture.ts';

const root = join(import.meta.dirname, '../..');

/** The part of esbuild that is used here; it is installed beside the runtimes, not in the main folder. */
interface Esbuild {
  build(options: Record<string, unknown>): Promise<unknown>;
}

/**
 * Bundles the code into one file, and prepares the files of the window.
 * @returns the asset paths, by the names that the program uses.
 */
export async function bundle(work: string, installed: string): Promise<{ files: Record<string, string> }> {
  const { build } = createRequire(join(installed, 'package.json'))('esbuild') as Esbuild;
  const common = {
    absWorkingDir: root,
    bundle: true,
    minify: false,
    legalComments: 'none',
    logLevel: 'error',
  };
  const program = (from: string, outfile: string) =>
    build({
      ...common,
      entryPoints: [from],
      outfile,
      platform: 'node',
      format: 'cjs',
      target: 'node26',
      external: ['node:*'],
      define: { 'import.meta.dirname': '""' },
    });
  await program('desktop/main.ts', join(work, 'main.cjs'));
  await mkdir(join(work, 'assets'), { recursive: true });
  const files: Record<string, string> = {};
  for (const { file } of Object.values(PAGE)) {
    const to = join(work, 'assets', file);
    files[file] = to;
    const from = join(root, 'desktop/window/page', file);
    if (file.endsWith('.ts'))
      await build({
        ...common,
        entryPoints: [from],
        outfile: to,
        platform: 'browser',
        format: 'esm',
        target: 'es2022',
      });
    else await copyFile(SITE[file] ? join(root, 'desktop/system', SITE[file]) : from, to);
  }
  await program('desktop/tray/thread.ts', join(work, 'assets/tray.js'));
  files['tray.js'] = join(work, 'assets/tray.js');
  // The icon beside the clock, in all that it says and all its sizes.
  const sign = await readFile(join(root, 'desktop/system', SITE['favicon.svg']!), 'utf8');
  for (const mark of MARKS)
    for (const width of WIDTHS) {
      const file = iconFile(mark, width);
      files[file] = join(work, 'assets', file);
      await sharp(Buffer.from(drawnIcon(sign, mark)), { density: 3 * width })
        .resize(width, width)
        .png({ compressionLevel: 9 })
        .toFile(files[file]);
    }
  return { files };
}
