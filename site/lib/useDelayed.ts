import { useEffect, useState } from 'react';

/** True once `on` has been true for `milliseconds`: what is over sooner shows nothing that would only flash. */
export function useDelayed(on: boolean, milliseconds: number): boolean {
  const [delayed, setDelayed] = useState(false);
  useEffect(() => {
    if (!on) return undefined;
    const timer = setTimeout(() => setDelayed(true), milliseconds);
    return () => {
      clearTimeout(timer);
      setDelayed(false);
    };
  }, [on, milliseconds]);
  return on && delayed;
}
