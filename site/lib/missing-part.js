// Reports island scripts that failed to load, so it must be inline itself. Its text is hashed into the page's Content
// Security Policy, so it imports nothing. The notice is a template in layouts/Base.astro.
addEventListener('astro:hydration-error', () => {
  // The signed-in screens have a notice of their own, which also knows whether there is an update; it takes precedence.
  setTimeout(() => {
    const template = document.getElementById('missing-part');
    if (!template || document.querySelector('[data-outdated]')) return;
    const notice = document.importNode(template.content, true).firstElementChild;
    notice.querySelector('button').addEventListener('click', () => location.reload());
    document.body.append(notice);
  }, 500);
});
