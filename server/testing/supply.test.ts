import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const root = join(import.meta.dirname, '../..');
interface Locked {
  link?: boolean;
  integrity?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}
const read = async (name: string) => JSON.parse(await readFile(join(root, name), 'utf8'));

test('every package for Linux is pinned to a SHA-512 hash', async () => {
  const { packages } = (await read('package-lock.json')) as { packages: Record<string, Locked> };
  const onLinux = ({ os, cpu, libc }: Locked) =>
    (os?.includes('linux') ?? true) &&
    (cpu?.some((one) => one === 'x64') ?? true) &&
    (libc?.includes('glibc') ?? true);
  const loose = Object.entries(packages).filter(
    ([path, one]) => path && !one.link && !one.integrity?.startsWith('sha512-') && onLinux(one),
  );
  assert.equal(
    loose.map(([path]) => path),
    [],
  );
});

test('versions of packages are pinned, so that two installations of one commit are the same', async () => {
  const { dependencies, devDependencies } = await read('package.json');
  const ranges = Object.entries<string>({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
  );
  assert.equal(ranges, []);
});

test.run();
