import { useState } from 'react';

/** A question that failed leaves the answer of the last one that did not. */
export function useLastDefined<T>(answer: T | undefined): T | undefined {
  const [last, setLast] = useState(answer);
  if (answer && answer !== last) setLast(answer);
  return answer ?? last;
}
