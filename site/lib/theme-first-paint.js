// Runs inline before the first paint, and again whenever a preference may have changed. Its text is hashed into the
// page's Content Security Policy, so it imports nothing.
(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  // The width of a list's scrollbar gutter: 0 with overlay scrollbars. Zooming changes it.
  const measureGutter = () => {
    const probe = document.createElement('div');
    probe.style.cssText = 'position: absolute; width: 99px; overflow-y: auto; scrollbar-gutter: stable';
    document.documentElement.append(probe);
    const width = probe.offsetWidth - probe.clientWidth;
    probe.remove();
    return `${width}px`;
  };
  let gutter = measureGutter();
  const paint = (root) => {
    root.style.setProperty('--gutter', gutter);
    const theme = read('vite-ui-theme');
    root.dataset.theme = theme === 'light' || theme === 'dark' ? theme : dark.matches ? 'dark' : 'light';
    root.dataset.tips = read('tips') === 'hidden' ? 'hidden' : 'shown';
    root.dataset.details = read('details') === 'open' ? 'open' : 'closed';
    root.dataset.sidebar = read('sidebar') === 'open' ? 'open' : 'closed';
  };
  const repaint = () => paint(document.documentElement);
  repaint();
  dark.addEventListener('change', repaint);
  addEventListener('storage', repaint);
  addEventListener('resize', () => {
    gutter = measureGutter();
    repaint();
  });
  document.addEventListener('preferences', repaint);
  document.addEventListener('astro:before-swap', (swap) => paint(swap.newDocument.documentElement));
})();
