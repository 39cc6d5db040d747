import { useState } from 'react';

/** `value`, or while it is undefined (a failed query) the last defined one. */
export function useLastDefined<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value && value !== last) setLast(value);
  return value ?? last;
}
