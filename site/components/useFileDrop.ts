import type { DragEvent } from 'react';
import { useState } from 'react';

/** Takes files that are let go over an element, which gets the `target` props; `over` while they are held there. */
export function useFileDrop(take: (files: FileList) => void) {
  const [over, setOver] = useState(false);
  const target = {
    onDragOver(event: DragEvent) {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer.files);
    },
  };
  return { over, target };
}
