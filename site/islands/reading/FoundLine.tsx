import type { TextHit } from '#server/reading/contract.ts';
import { pageLabel } from '../../lib/reading.ts';
import { Line } from './Line.tsx';

/** A text match: its page, and its line. */
export function FoundLine({ hit }: { hit: TextHit }) {
  const place = pageLabel(hit);
  return (
    <>
      {place && <span className="mr-1.5">{`${place}:`}</span>}
      <Line pieces={hit.line} />
    </>
  );
}
