/** Concurrent thumbnail requests. A browser keeps six connections per server; the others serve what people click. */
const CONCURRENCY = 2;

interface QueuedThumbnail {
  load: () => void;
}

const outcomes = new Map<string, 'there' | 'none'>();
const queue: QueuedThumbnail[] = [];
let loading = 0;

function loadNext(): void {
  // LIFO: the thumbnail that scrolled into view last is on the screen now.
  const next = loading < CONCURRENCY ? queue.pop() : undefined;
  if (!next) return;
  loading += 1;
  next.load();
}

/** The outcome of an earlier request for this content's thumbnail; undefined without one. */
export const knownThumbnail = (content: string): 'there' | 'none' | undefined => outcomes.get(content);

/** Records the outcome and starts the next request. Outcomes are cached, since a content never changes. */
export function settleThumbnail(content: string, outcome: 'there' | 'none'): void {
  if (outcomes.has(content)) return;
  outcomes.set(content, outcome);
  loading -= 1;
  loadNext();
}

/** Calls `load` when a request slot is free. @returns a function that leaves the queue, for a thumbnail out of view. */
export function queueThumbnail(content: string, load: () => void): () => void {
  let isStarted = false;
  const queued = {
    load: () => {
      isStarted = true;
      load();
    },
  };
  queue.push(queued);
  loadNext();
  return () => {
    const index = queue.indexOf(queued);
    if (index >= 0) queue.splice(index, 1);
    // An image removed from the page while it loads fires no event: free its slot.
    else if (isStarted && !outcomes.has(content)) {
      loading -= 1;
      loadNext();
    }
  };
}
