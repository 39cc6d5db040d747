import type { RefObject } from 'react';
import { useEffect, useRef } from 'react';

/**
 * Reports text that was typed into the server-rendered input before the island was hydrated: no change event fired for it,
 * and the next render would erase it.
 * @returns a ref for the element around the input.
 */
export function useTypedBeforeHydration({
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
