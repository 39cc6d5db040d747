import { readFile, writeFile } from 'node:fs/promises';
import type { IconFile } from './resedit.ts';
import { loadResEdit } from './resedit.ts';

const INDIA_ENGLISH = 0x4009;
const UNICODE = 1200;
/** Used when the executable has no icon resource yet. */
const FIRST = { id: 1, lang: INDIA_ENGLISH };
/** IMAGE_SUBSYSTEM_WINDOWS_GUI: opens no console window. */
const GUI = 2;

/**
 * Writes version information and the icon into the Windows runtime, for Explorer and the task manager.
 * @returns its path.
 */
export async function describeExe(
  base: string,
  to: string,
  { version, icons }: { version: string; icons: IconFile['icons'] },
  out: string,
): Promise<string> {
  const { NtExecutable, NtExecutableResource, Resource } = await loadResEdit(out);
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
  const { id, lang } = Resource.IconGroupEntry.fromEntries(resources.entries)[0] ?? FIRST;
  const pictures = icons.map(({ data }) => data);
  Resource.IconGroupEntry.replaceIconsForResource(resources.entries, id, lang, pictures);
  resources.outputResource(exe);
  exe.newHeader.optionalHeader.subsystem = GUI;
  await writeFile(to, Buffer.from(exe.generate()));
  return to;
}
