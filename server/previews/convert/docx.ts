import mammoth from 'mammoth';
import { clean, page } from './clean.ts';
import type { Clean } from './clean.ts';
import { checkPackage, checkUnlocked, isZip, Unreadable } from './limits.ts';
import { decodePage } from './text.ts';

/** Picture formats that browsers show; Office drawings are omitted. */
const PICTURES = /^image\/(?:png|jpe?g|gif|webp|bmp)$/;

interface Paragraph {
  type: string;
  alignment?: string | null;
  styleName?: string | null;
  children?: Paragraph[];
}
const ALIGNED: Record<string, string> = { center: 'Centre', right: 'Right', end: 'Right', both: 'Justify' };

/** Mammoth maps styles only, so a paragraph with direct alignment gets a style that stands for it. */
function aligned(element: Paragraph): Paragraph {
  const children = element.children?.map(aligned);
  const style = element.type === 'paragraph' && !/heading|title/i.test(element.styleName ?? '');
  const to = style && ALIGNED[element.alignment ?? ''];
  return {
    ...element,
    ...(children && { children }),
    ...(to && { styleName: `Aligned ${to}`, styleId: null }),
  };
}

const STYLE_MAP = [
  "p[style-name='Title'] => h1.center:fresh",
  "p[style-name='Subtitle'] => h2:fresh",
  "p[style-name='Aligned Centre'] => p.center:fresh",
  "p[style-name='Aligned Right'] => p.right:fresh",
  "p[style-name='Aligned Justify'] => p.justify:fresh",
  'u => u',
];

async function fromDocx(bytes: Buffer): Promise<Clean> {
  checkUnlocked(bytes);
  if (!isZip(bytes)) throw new Unreadable('It is no DOCX.');
  checkPackage(bytes);
  const { value } = await mammoth.convertToHtml(
    { buffer: bytes },
    {
      styleMap: STYLE_MAP,
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      transformDocument: (element: unknown) => aligned(element as Paragraph),
      convertImage: mammoth.images.imgElement(async (image) => ({
        src: PICTURES.test(image.contentType)
          ? `data:${image.contentType};base64,${await image.readAsBase64String()}`
          : '',
      })),
    },
  );
  return clean(value);
}

/** Converts a document to an HTML page for the frame. */
export async function readDocument(
  bytes: Buffer,
  fileType: string,
): Promise<{ body: string; remote_pictures: number }> {
  if (bytes.length === 0) return { body: page('document', ''), remote_pictures: 0 };
  const { html, remote_pictures } = fileType === 'docx' ? await fromDocx(bytes) : clean(decodePage(bytes));
  return { body: page('document', html), remote_pictures };
}
