import { createRequire } from 'node:module';
import { join } from 'node:path';

/** An icon image as PNG, which Windows supports since Vista. */
interface Picture {
  readonly width: number;
}
export interface IconFile {
  icons: { width: number; height: number; bitCount: number; data: Picture }[];
  generate(): ArrayBuffer;
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

/** The part of resedit, a resource editor for Windows executables, that is used here. */
interface ResEdit {
  NtExecutable: { from(bytes: Buffer, options: object): Exe };
  NtExecutableResource: { from(exe: Exe): { entries: unknown[]; outputResource(exe: Exe): void } };
  Data: {
    IconFile: new () => IconFile;
    RawIconItem: { from(bytes: Buffer, width: number, height: number, bits: number): Picture };
  };
  Resource: {
    IconGroupEntry: {
      fromEntries(entries: unknown[]): { id: number | string; lang: number; icons: Picture[] }[];
      replaceIconsForResource(
        entries: unknown[],
        id: number | string,
        lang: number,
        icons: readonly Picture[],
      ): void;
    };
    VersionInfo: {
      fromEntries(entries: unknown[]): VersionInfo[];
      createEmpty(): VersionInfo;
    };
  };
}

/** @param out output folder, where the build dependencies are installed. */
export async function loadResEdit(out: string): Promise<ResEdit> {
  const packages = createRequire(join(out, 'runtimes/linux-x64/package.json'));
  return (await import(packages.resolve('resedit'))) as ResEdit;
}
