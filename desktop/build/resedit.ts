import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A picture of an icon, as PNG, which Windows takes in one since Vista. */
interface Picture {
  readonly width: number;
}
export interface IconFile {
  icons: { width: number; height: number; bitCount: number; data: Picture }[];
  generate(): ArrayBuffer;
}
export interface Exe {
  newHeader: { optionalHeader: { subsystem: number } };
  generate(): ArrayBuffer;
}
export interface VersionInfo {
  setFileVersion(...numbers: number[]): void;
  setProductVersion(...numbers: number[]): void;
  setStringValues(language: { lang: number; codepage: number }, values: Record<string, string>): void;
  removeAllStringValues(language: { lang: number; codepage: number }): void;
  getAllLanguagesForStringValues(): { lang: number; codepage: number }[];
  outputToResourceEntries(entries: unknown[]): void;
}

/** resedit, which changes what a program of Windows tells of itself, as far as it is used here. */
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

/** @param out where the runtimes and what builds with them were installed. */
export async function loadResEdit(out: string): Promise<ResEdit> {
  const packages = createRequire(join(out, 'runtimes/linux-x64/package.json'));
  return (await import(packages.resolve('resedit'))) as ResEdit;
}
