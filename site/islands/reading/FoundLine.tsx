import type { TextHit } from '#server/reading/contract.ts';
import { pageLabel } from '../../lib/reading.ts';
import { Line } from './Line.tsx';

/** Where in a file words stand, and the line. */
export function FoundLine({ hit }: { hit: TextHit }) {
  const place = pageLabel(hit);
  return (
    <>
      {place && <span className="mr-1.5">{`${place}:`}</span>}
      <Line pieces={hit.line} />
    </>
  );
}
