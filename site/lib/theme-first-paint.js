// Runs inline before anything is painted, and again whenever what it reads may have changed. Its text is hashed into
// the page's security policy, so it imports nothing.
(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const paint = (root) => {
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
  document.addEventListener('preferences', repaint);
  document.addEventListener('astro:before-swap', (swap) => paint(swap.newDocument.documentElement));
})();
