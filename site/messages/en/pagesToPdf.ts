import { plural } from './language.ts';

/** Pictures of pages that become one PDF. */

const pictures = (count: number) => `${count} ${plural(count, { one: 'picture', other: 'pictures' })}`;

export const title = 'Pages to PDF';
export const about = (folder: string) => `One PDF in “${folder}”, a page for each picture, in their order.`;
export const takePicture = 'Take a picture';
export const takeNextPicture = 'Take the next one';
export const choose = 'Choose pictures';
export const name = 'Name';
/** @param day and @param time as `2026-11-23` and `09.30`. */
export const defaultName = (day: string, time: string) => `Scan ${day} ${time}`;
export const pages = 'Pages';
export const page = (at: number, count: number) => `Page ${at} of ${count}`;
export const rotatePage = (at: number) => `Turn page ${at}`;
export const moveForward = (at: number) => `Move page ${at} forward`;
export const moveBack = (at: number) => `Move page ${at} back`;
export const removePage = (at: number) => `Remove page ${at}`;
export const noPicture = 'Shown once it is saved';
export const save = (count: number) => `Save ${pictures(count)} as PDF`;
export const saveNone = 'Save as PDF';
export const sending = (percent: number) =>
  percent < 100 ? `Uploading... ${percent}%` : 'Making the PDF...';
export const saved = (file: string) => `${file} saved`;
export const failed = 'The PDF could not be made.';
export const notPictures = (count: number) =>
  plural(count, {
    one: '1 file is no picture and was left out.',
    other: `${count} files are no pictures and were left out.`,
  });
export const tooMany = (most: number) =>
  `A PDF can be made of ${most} pictures at most. Save these first, then go on with a second PDF.`;
export const discardTitle = (count: number) => `Discard ${pictures(count)}?`;
export const discardAbout = 'They are not saved yet.';
export const discard = 'Discard';
/** On the page of shared files. */
export const joinShared = (count: number) => `Make one PDF of ${pictures(count)}`;
