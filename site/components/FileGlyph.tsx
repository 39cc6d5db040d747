import type { ReactNode } from 'react';
import type { FileGroup } from '../lib/fileGroup.ts';
import { fileGroup } from '../lib/fileGroup.ts';

export interface FileGlyphProps {
  /** Extension in lower case without the dot; null for a folder. */
  fileType: string | null;
  /** Pixels, from 16 to 64. From 32 on the extension is written on the glyph. */
  size?: number;
  className?: string;
}

/** The sign on the sheet, in a 24 × 24 box whose sheet spans 4..20 × 2..22. */
const SIGNS: Record<Exclude<FileGroup, 'folder'>, ReactNode> = {
  pdf: <path d="M8 17.5c2.4-1.3 4-4.6 4-7.3 0 2.9 1.5 4.8 4 5-2.9-.2-5.6.6-8 2.3Z" />,
  word: <path d="M8 11h8M8 14.2h8M8 17.4h5" />,
  sheet: <path d="M8 10.8h8v7H8zM8 14.3h8M12 10.8v7" />,
  slides: <path d="M8 10.8h8v5H8zM12 15.8v2.4M10.2 18.2h3.6" />,
  mail: <path d="M7.6 11.2h8.8v6.2H7.6zM7.8 11.5l4.2 3.4 4.2-3.4" />,
  image: <path d="m7.8 17.8 3-4 2 2.4 1.6-1.8 1.9 3.4ZM14.6 11.2h.01" />,
  video: <path d="M10.2 11.2v6l4.8-3Z" fill="currentColor" />,
  audio: (
    <path d="M10.3 17v-5.6l4.6-1v5.4M10.3 17a1.2 1.2 0 1 1-2.4 0 1.2 1.2 0 0 1 2.4 0ZM14.9 15.8a1.2 1.2 0 1 1-2.4 0 1.2 1.2 0 0 1 2.4 0Z" />
  ),
  archive: <path d="M12 3.4v1.4M12 6.6V8M12 9.8v1.4M10.8 13.4h2.4v4h-2.4z" />,
  text: <path d="M8 11h8M8 14.2h5.5M8 17.4h7" />,
  data: <path d="m10 11.6-2.4 2.6 2.4 2.6M14 11.6l2.4 2.6-2.4 2.6" />,
  return: <path d="M8.2 11h7.6M8.2 13.4h7.6M8.6 11c5.6 0 5.6 4.7 0 4.7l4.4 2.9" />,
  certificate: (
    <path d="M14.2 13a2.2 2.2 0 1 1-4.4 0 2.2 2.2 0 0 1 4.4 0ZM10.7 15.2 10 18.6l2-1 2 1-.7-3.4" />
  ),
  drawing: <path d="M8 17.6V10.8l7.6 6.8ZM10 15.7v-1.2l1.4 1.2Z" />,
  design: <path d="m8.2 17.6.9-3.6 5-4 2.2 2.7-5 4ZM8.2 17.6l3-2.4" />,
  other: null,
};

/** The zip of the large glyph is shorter, since a band covers the lower half of the sheet. */
const ZIP_IN_SMALL = <path d="M12 10.6v.6M12 13v.6M10.6 15.2h2.8v2.6h-2.8z" />;

function Folder() {
  return (
    <>
      <path
        d="M2 6.2A2.2 2.2 0 0 1 4.2 4h4.1c.6 0 1.1.2 1.5.6L11.4 6h8.4A2.2 2.2 0 0 1 22 8.2V10H2Z"
        fill="var(--glyph-folder-back)"
      />
      <path
        d="M2 9.2A1.2 1.2 0 0 1 3.2 8h17.6A1.2 1.2 0 0 1 22 9.2v8.6a2.2 2.2 0 0 1-2.2 2.2H4.2A2.2 2.2 0 0 1 2 17.8Z"
        fill="var(--glyph-folder)"
      />
      <path
        d="M3.2 8h17.6A1.2 1.2 0 0 1 22 9.2v.7A1.2 1.2 0 0 0 20.8 8.7H3.2A1.2 1.2 0 0 0 2 9.9v-.7A1.2 1.2 0 0 1 3.2 8Z"
        fill="#fff"
        opacity=".45"
      />
    </>
  );
}

/** A sheet in the group's colour with a white sign. */
function Small({ group }: { group: Exclude<FileGroup, 'folder'> }) {
  return (
    <>
      <path
        d="M6.2 2h7.6L20 8.2v11.6a2.2 2.2 0 0 1-2.2 2.2H6.2A2.2 2.2 0 0 1 4 19.8V4.2A2.2 2.2 0 0 1 6.2 2Z"
        fill={`var(--glyph-${group})`}
      />
      <path d="M13.8 2 20 8.2h-4.4a1.8 1.8 0 0 1-1.8-1.8Z" fill="#fff" opacity=".42" />
      <g
        fill="none"
        stroke="var(--glyph-ink)"
        color="var(--glyph-ink)"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {SIGNS[group]}
      </g>
    </>
  );
}

/** A white sheet with a coloured sign and the extension on a band at the bottom. */
function Large({ group, fileType }: { group: Exclude<FileGroup, 'folder'>; fileType: string }) {
  const text = fileType.slice(0, 4).toUpperCase();
  return (
    <>
      <path
        d="M6 1.9h8L20.1 8v12a2.1 2.1 0 0 1-2.1 2.1H6A2.1 2.1 0 0 1 3.9 20V4A2.1 2.1 0 0 1 6 1.9Z"
        fill="var(--surface)"
        stroke="var(--line-strong)"
        strokeOpacity=".55"
        strokeWidth=".6"
      />
      <path d="M14 1.9 20.1 8h-4.4A1.7 1.7 0 0 1 14 6.3Z" fill={`var(--glyph-${group})`} opacity=".3" />
      <g
        transform="translate(1.9 -1.9) scale(.72)"
        fill="none"
        stroke={`var(--glyph-${group})`}
        color={`var(--glyph-${group})`}
        strokeWidth="1.7"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {group === 'archive' ? ZIP_IN_SMALL : SIGNS[group]}
      </g>
      <rect
        x="2"
        y="13.4"
        width={text.length > 3 ? 14.5 : 12}
        height="6"
        rx="1.4"
        fill={`var(--glyph-${group})`}
      />
      <text
        x={text.length > 3 ? 9.25 : 8}
        y="17.75"
        textAnchor="middle"
        fontSize="3.9"
        fontWeight="700"
        letterSpacing=".15"
        fill="var(--glyph-ink)"
      >
        {text}
      </text>
    </>
  );
}

/** The icon of a file or folder in its group's colour. Decorative: the name is shown beside it. */
export function FileGlyph({ fileType, size = 20, className }: FileGlyphProps) {
  const group = fileGroup(fileType);
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      className={className}
      style={{ flexShrink: 0 }}
    >
      {group === 'folder' ? (
        <Folder />
      ) : size >= 32 ? (
        <Large group={group} fileType={fileType ?? ''} />
      ) : (
        <Small group={group} />
      )}
    </svg>
  );
}
