import { useEffect, useState } from 'react';

/** True once `on` has been true for `milliseconds`, so that a short wait shows no flashing indicator. */
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
