import type { Texts } from './texts.ts';
import { fillTemplate } from './texts.ts';

const PHOTO = /\.(?:jpe?g|png|webp|heic|heif)$/i;

export const isPhoto = (file: File): boolean =>
  PHOTO.test(file.name) || /^image\/(?:jpeg|png|webp|hei[cf])$/.test(file.type);

/** The photographs of one document before they are sent, in their order, drawn as a strip. */
export function createStrip(
  { strip, button }: { strip: HTMLOListElement; button: HTMLButtonElement },
  words: Texts,
  onSend: (photos: File[]) => void,
) {
  let photos: File[] = [];

  const draw = (): void => {
    strip.hidden = button.hidden = photos.length === 0;
    button.textContent = fillTemplate(photos.length === 1 ? words.sendPhotos.one : words.sendPhotos.other, {
      n: photos.length,
    });
    strip.replaceChildren(...photos.map(drawn));
  };

  function act(label: string, text: string, place: string, then: () => void): HTMLButtonElement {
    const made = document.createElement('button');
    made.type = 'button';
    made.ariaLabel = label;
    made.textContent = text;
    made.className = `absolute ${place} flex size-11 items-center justify-center text-xl font-bold text-white [text-shadow:0_0_4px_#000,0_0_2px_#000]`;
    made.addEventListener('click', () => {
      then();
      draw();
      button.focus();
    });
    return made;
  }

  function drawn(file: File, at: number): HTMLLIElement {
    const item = document.createElement('li');
    item.className = 'relative aspect-[3/4] overflow-hidden rounded-md border border-line bg-sunken';
    const picture = document.createElement('img');
    picture.alt = file.name;
    picture.className = 'size-full object-cover text-xs break-all';
    picture.src = URL.createObjectURL(file);
    picture.addEventListener('load', () => URL.revokeObjectURL(picture.src), { once: true });
    const number = { n: at + 1 };
    item.append(
      picture,
      act(fillTemplate(words.removePhoto, number), '×', 'top-0 right-0', () => {
        photos = photos.filter((_, other) => other !== at);
      }),
    );
    if (at > 0)
      item.append(
        act(fillTemplate(words.movePhoto, number), '←', 'bottom-0 left-0', () => {
          photos = photos.with(at - 1, file).with(at, photos[at - 1]!);
        }),
      );
    return item;
  }

  button.addEventListener('click', () => {
    const all = photos;
    photos = [];
    draw();
    onSend(all);
  });

  return {
    add(more: readonly File[]): void {
      photos = [...photos, ...more];
      draw();
    },
    isEmpty: (): boolean => photos.length === 0,
  };
}
