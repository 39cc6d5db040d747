/* What is measured inside the page; `drive.ts` puts it there and calls it by name. */
Object.assign(globalThis, {
  bench: {
    /** Milliseconds from the navigation to the first paint that has a row. */
    firstRow: () =>
      new Promise((resolve) => {
        const look = () => {
          if (!document.querySelector('[data-id]')) return requestAnimationFrame(look);
          const [paint] = performance.getEntriesByName('first-contentful-paint');
          return resolve(paint?.startTime ?? performance.now());
        };
        look();
      }),

    /** How many rows the listing says it has. */
    rows: () => Number(document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount')),

    /** Frame times in milliseconds, while the list moves by half a screen with each frame. */
    scroll: (frames) =>
      new Promise((resolve) => {
        const scroller = document.querySelector('[data-scroller]');
        const times = [];
        let before = performance.now();
        const step = (now) => {
          times.push(now - before);
          before = now;
          scroller.scrollTop += scroller.clientHeight / 2;
          if (times.length < frames) requestAnimationFrame(step);
          // The first ones still belong to what was before.
          else resolve(times.slice(3));
        };
        requestAnimationFrame(step);
      }),

    /** Milliseconds from the next event of this type until the frame that shows what came of it has been drawn. */
    until: (type) =>
      new Promise((resolve) => {
        const listen = ({ timeStamp }) =>
          requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.addEventListener('message', () => resolve(performance.now() - timeStamp));
            channel.port1.start();
            channel.port2.postMessage(null);
          });
        addEventListener(type, listen, { capture: true, once: true });
      }),

    says: (text) => document.body.innerText.includes(text),

    /** Puts the keyboard on the listing. */
    focus: () => document.querySelector('[role="grid"]')?.focus(),

    /** Whether the last upload is saved. */
    uploaded: () => document.querySelector('[data-uploads] h2')?.textContent.endsWith('complete') === true,
  },
});
