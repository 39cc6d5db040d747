import { PHOTOS_PER_PDF } from '#server/collecting/contract.ts';
import type { Texts } from './texts.ts';
import { fillTemplate } from './texts.ts';

const PHOTO = /\.(?:jpe?g|png|webp|heic|heif)$/i;

export const isPhoto = (file: File): boolean =>
  PHOTO.test(file.name) || /^image\/(?:jpeg|png|webp|hei[cf])$/.test(file.type);

/** A strip of thumbnails of one document's photographs before they are sent, in page order. */
export function createStrip(
  { strip, unsent, button }: { strip: HTMLOListElement; unsent: HTMLElement; button: HTMLButtonElement },
  texts: Texts,
  { onSend, onChange }: { onSend: (photos: readonly File[]) => void; onChange: () => void },
) {
  let photos: readonly File[] = [];

  const render = (): void => {
    strip.hidden = unsent.hidden = button.hidden = photos.length === 0;
    const n = photos.length;
    const pdfs = Math.ceil(n / PHOTOS_PER_PDF);
    const { one, other, several } = texts.sendPhotos;
    button.textContent = fillTemplate(n === 1 ? one : pdfs > 1 ? several : other, { n, pdfs });
    strip.replaceChildren(...photos.map(createThumbnail));
  };

  function createButton(
    label: string,
    text: string,
    position: string,
    onClick: () => void,
  ): HTMLButtonElement {
    const created = document.createElement('button');
    created.type = 'button';
    created.ariaLabel = label;
    created.className = `absolute ${position} flex size-11 items-center justify-center`;
    const sign = document.createElement('span');
    sign.textContent = text;
    sign.className =
      'flex size-7 items-center justify-center rounded-full border border-line bg-surface text-lg leading-none font-bold text-text';
    created.append(sign);
    created.addEventListener('click', () => {
      onClick();
      render();
      onChange();
      // Without photographs the button to send them is hidden.
      if (button.hidden) strip.parentElement?.querySelector('input')?.focus();
      else button.focus();
    });
    return created;
  }

  /** In place of a thumbnail that the browser cannot draw, as most cannot draw HEIC: the server can. */
  function createPlain({ name }: File): HTMLElement {
    const plain = document.createElement('span');
    plain.className = 'flex size-full flex-col gap-0.5 p-1.5';
    const glyph = strip.parentElement?.querySelector<HTMLTemplateElement>('[data-glyph]');
    const text = document.createElement('span');
    text.className = 'line-clamp-2 text-xs/4 break-all';
    text.textContent = name;
    plain.append(...(glyph ? [glyph.content.cloneNode(true)] : []), text);
    return plain;
  }

  function createThumbnail(file: File, index: number): HTMLLIElement {
    const item = document.createElement('li');
    item.className = 'relative aspect-[3/4] overflow-hidden rounded-md border border-line bg-sunken';
    const picture = document.createElement('img');
    picture.alt = file.name;
    picture.className = 'size-full object-cover';
    picture.src = URL.createObjectURL(file);
    picture.addEventListener('load', () => URL.revokeObjectURL(picture.src), { once: true });
    picture.addEventListener('error', () => {
      URL.revokeObjectURL(picture.src);
      picture.replaceWith(createPlain(file));
    });
    const number = { n: index + 1 };
    item.append(
      picture,
      createButton(fillTemplate(texts.removePhoto, number), '×', 'top-0 right-0', () => {
        photos = photos.filter((_, other) => other !== index);
      }),
    );
    if (index > 0)
      item.append(
        createButton(fillTemplate(texts.movePhoto, number), '←', 'bottom-0 left-0', () => {
          photos = photos.with(index - 1, file).with(index, photos[index - 1]!);
        }),
      );
    return item;
  }

  button.addEventListener('click', () => {
    const all = photos;
    photos = [];
    render();
    onSend(all);
  });

  return {
    add(more: readonly File[]): void {
      if (more.length === 0) return;
      photos = [...photos, ...more];
      render();
      onChange();
    },
    photos: (): readonly File[] => photos,
  };
}
