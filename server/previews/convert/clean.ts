import sanitize from 'sanitize-html';

/** Characters of HTML read, and characters of embedded pictures in the result. */
const SOURCE_MAX = 8 * 1024 * 1024;
const PICTURES_MAX = 16 * 1024 * 1024;

const TAGS =
  'p div span br hr h1 h2 h3 h4 h5 h6 b strong i em u s strike del ins sub sup small big font center blockquote pre code ' +
  'kbd samp tt q cite abbr address ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr th td img a ' +
  'section article header footer main figure figcaption wbr bdi bdo';
/** Tags whose text is removed too. */
const SILENT = 'script style textarea option select noscript title template iframe object svg math xml'.split(
  ' ',
);

/** CSS values without functions, above all `url()`, and without characters that could obfuscate one. */
const VALUE = /^(?!.*(?:url|image|expression|attr|var|src)\s*\()[\w\s#.,%()"'+-]+$/i;
const PROPERTIES =
  'color background-color background text-align vertical-align font font-weight font-style font-size font-family ' +
  'text-decoration text-transform text-indent letter-spacing line-height white-space width max-width min-width height ' +
  'border border-top border-right border-bottom border-left border-color border-style border-width border-collapse ' +
  'border-spacing border-radius padding padding-top padding-right padding-bottom padding-left margin margin-top ' +
  'margin-right margin-bottom margin-left list-style-type table-layout direction';
const STYLES = Object.fromEntries(PROPERTIES.split(' ').map((name) => [name, [VALUE]]));

const PICTURE = /^data:image\/(?:png|jpe?g|gif|webp|bmp);base64,[A-Za-z0-9+/=\s]*$/i;
const REMOTE = /^\s*(?:https?:)?\/\//i;

export interface Clean {
  html: string;
  /** The number of removed remote pictures. */
  remote_pictures: number;
}

/**
 * Sanitizes untrusted HTML: removes scripts, remote content and links. The result is shown in a frame that blocks them too.
 * @param inline resolves the URL of an embedded picture, such as `cid:`, to a `data:` URL.
 */
export function clean(source: string, inline: (address: string) => string | null = () => null): Clean {
  let remote = 0;
  let room = PICTURES_MAX;
  const html = sanitize(source.slice(0, SOURCE_MAX), {
    allowedTags: TAGS.split(' '),
    nonTextTags: SILENT,
    allowedAttributes: {
      '*': ['style', 'align', 'valign', 'width', 'height', 'bgcolor', 'dir', 'lang', 'title'],
      img: ['src', 'alt'],
      td: ['colspan', 'rowspan', 'nowrap'],
      th: ['colspan', 'rowspan', 'nowrap'],
      col: ['span'],
      colgroup: ['span'],
      table: ['border', 'cellpadding', 'cellspacing'],
      font: ['color', 'face', 'size'],
      ol: ['start', 'type'],
    },
    allowedClasses: { p: ['center', 'right', 'justify'] },
    allowedStyles: { '*': STYLES },
    allowedSchemes: [],
    allowedSchemesByTag: { img: ['data'] },
    allowProtocolRelative: false,
    transformTags: {
      // A link keeps its target as a tooltip only.
      a: (_tag, { href = '' }) => ({
        tagName: 'a',
        attribs: /^(?:https?|mailto|tel):/i.test(href.trim()) ? { title: href.trim().slice(0, 500) } : {},
      }),
      img: (_tag, { src = '', alt = '', width = '', height = '', style = '' }) => {
        const picture = inline(src) ?? src;
        if (REMOTE.test(picture)) remote += 1;
        const fits = PICTURE.test(picture) && picture.length <= room;
        if (fits) room -= picture.length;
        const size = { ...(width && { width }), ...(height && { height }), ...(style && { style }) };
        return { tagName: 'img', attribs: fits ? { src: picture, alt, ...size } : {} };
      },
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
  });
  return { html, remote_pictures: remote };
}

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const STYLE = `
:root { color-scheme: only light; background: #fff; color: #111; }
body { margin: 0 auto; max-width: 52rem; padding: 2rem 2.5rem 3rem; font: 15px/1.55 "Inter Variable", "Segoe UI", system-ui, sans-serif;
  overflow-wrap: break-word; }
body.mail { max-width: none; padding: 1rem 1.25rem 2rem; font-size: 14px; }
pre { margin: 0; white-space: pre-wrap; font: inherit; }
img { max-width: 100%; height: auto; }
table { border-collapse: collapse; max-width: 100%; }
body.document table { margin: 0.75rem 0; }
body.document td, body.document th { border: 1px solid #b9bec8; padding: 0.25rem 0.5rem; vertical-align: top; }
body.document td > p, body.document th > p { margin: 0.125rem 0; }
h1, h2, h3, h4 { line-height: 1.25; }
a { color: #1d4ed8; text-decoration: underline; cursor: default; }
blockquote { margin: 0.5rem 0 0.5rem 0.25rem; border-left: 3px solid #d4d8e0; padding-left: 0.75rem; }
.center { text-align: center; } .right { text-align: right; } .justify { text-align: justify; }
@media (width < 40rem) { body { padding: 1rem; } }
`;

/** The HTML page for the frame. */
export const page = (kind: 'document' | 'mail', html: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>Content</title><style>${STYLE}</style></head><body class="${kind}">${html}</body></html>`;
