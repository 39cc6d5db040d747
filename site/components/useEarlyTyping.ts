import type { RefObject } from 'react';
import { useEffect, useRef } from 'react';

/**
 * Takes over what was typed into the server's page before the island came alive: no event has told of it, and the next
 * rendering would wipe it out.
 * @returns for the element around the input.
 */
export function useEarlyTyping({
  value,
  onChange,
}: {
  value?: string | undefined;
  onChange?: ((value: string) => void) | undefined;
}): RefObject<HTMLDivElement | null> {
  const field = useRef<HTMLDivElement>(null);
  const first = useRef({ value, onChange });
  useEffect(() => {
    const typed = field.current?.querySelector('input')?.value;
    if (typed && typed !== first.current.value) first.current.onChange?.(typed);
  }, []);
  return field;
}
