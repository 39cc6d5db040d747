import { useEffect, useEffectEvent } from 'react';

/** Listens on the document while the component is mounted. */
export function useDocumentEvent<Name extends keyof DocumentEventMap>(
  name: Name,
  listener: (event: DocumentEventMap[Name]) => void,
): void {
  const latest = useEffectEvent(listener);
  useEffect(() => {
    const listen = (event: DocumentEventMap[Name]) => latest(event);
    document.addEventListener(name, listen);
    return () => document.removeEventListener(name, listen);
  }, [name]);
}
