import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PAGE, SITE } from '#desktop/system/assets.ts';

const root = join(import.meta.dirname, '../..');

/** esbuild, as far as it is used here: it is installed beside the runtimes, and not in the main folder. */
interface Esbuild {
  build(options: Record<string, unknown>): Promise<unknown>;
}

/** One file of code, and the files of the window. @returns these by the names under which the program finds them. */
export async function bundle(work: string, installed: string): Promise<{ files: Record<string, string> }> {
  const { build } = createRequire(join(installed, 'package.json'))('esbuild') as Esbuild;
  const common = {
    absWorkingDir: root,
    bundle: true,
    minify: false,
    legalComments: 'none',
    logLevel: 'error',
  };
  await build({
    ...common,
    entryPoints: ['desktop/main.ts'],
    outfile: join(work, 'main.cjs'),
    platform: 'node',
    format: 'cjs',
    target: 'node26',
    external: ['node:*'],
    define: { 'import.meta.dirname': '""' },
  });
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
  return { files };
}
