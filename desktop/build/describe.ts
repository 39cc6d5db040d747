import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const INDIA_ENGLISH = 0x4009;
const UNICODE = 1200;
/** IMAGE_SUBSYSTEM_WINDOWS_GUI: no black window behind the program. */
const GUI = 2;

/** resedit, as far as it is used here. */
interface ResEdit {
  NtExecutable: { from(bytes: Buffer, options: object): Exe };
  NtExecutableResource: { from(exe: Exe): { entries: unknown[]; outputResource(exe: Exe): void } };
  Resource: {
    VersionInfo: {
      fromEntries(entries: unknown[]): VersionInfo[];
      createEmpty(): VersionInfo;
    };
  };
}
interface Exe {
  newHeader: { optionalHeader: { subsystem: number } };
  generate(): ArrayBuffer;
}
interface VersionInfo {
  setFileVersion(...numbers: number[]): void;
  setProductVersion(...numbers: number[]): void;
  setStringValues(language: { lang: number; codepage: number }, values: Record<string, string>): void;
  removeAllStringValues(language: { lang: number; codepage: number }): void;
  getAllLanguagesForStringValues(): { lang: number; codepage: number }[];
  outputToResourceEntries(entries: unknown[]): void;
}

/** Says in the Windows runtime what it is, as Explorer and the task manager show it. @returns where it lies. */
export async function describeExe(
  base: string,
  to: string,
  { version }: { version: string },
  out: string,
): Promise<string> {
  const packages = join(out, 'runtimes/linux-x64/package.json');
  const { NtExecutable, NtExecutableResource, Resource } = (await import(
    createRequire(packages).resolve('resedit')
  )) as ResEdit;
  const exe = NtExecutable.from(await readFile(base), { ignoreCert: true });
  const resources = NtExecutableResource.from(exe);
  const info = Resource.VersionInfo.fromEntries(resources.entries)[0] ?? Resource.VersionInfo.createEmpty();
  for (const language of info.getAllLanguagesForStringValues()) info.removeAllStringValues(language);
  const [major = 1, minor = 0, patch = 0] = version.split('.').map(Number);
  info.setFileVersion(major, minor, patch, 0);
  info.setProductVersion(major, minor, patch, 0);
  info.setStringValues(
    { lang: INDIA_ENGLISH, codepage: UNICODE },
    {
      FileDescription: 'Almirah Uploader',
      ProductName: 'Almirah Uploader',
      FileVersion: version,
      ProductVersion: version,
      OriginalFilename: 'almirah-uploader.exe',
      InternalName: 'almirah-uploader',
    },
  );
  info.outputToResourceEntries(resources.entries);
  resources.outputResource(exe);
  exe.newHeader.optionalHeader.subsystem = GUI;
  await writeFile(to, Buffer.from(exe.generate()));
  return to;
}
