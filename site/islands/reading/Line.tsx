import type { LinePiece } from '#server/reading/contract.ts';

/** A line of a document with the matched words marked. */
export const Line = ({ pieces }: { pieces: readonly LinePiece[] }) => (
  <>
    {pieces.map(({ text, marked }, index) =>
      marked ? (
        <mark
          key={index}
          className="bg-transparent font-semibold text-accent-text underline underline-offset-2"
        >
          {text}
        </mark>
      ) : (
        <span key={index}>{text}</span>
      ),
    )}
  </>
);
