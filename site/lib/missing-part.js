// Runs inline, for it tells of scripts that did not load. Its text is hashed into the page's security policy, so it
// imports nothing; what it shows stands in the template of layouts/Base.astro.
addEventListener('astro:hydration-error', () => {
  // Where the notice of the signed-in screens listens, it knows more: whether there is an update.
  setTimeout(() => {
    const template = document.getElementById('missing-part');
    if (!template || document.querySelector('[data-outdated]')) return;
    const notice = document.importNode(template.content, true).firstElementChild;
    notice.querySelector('button').addEventListener('click', () => location.reload());
    document.body.append(notice);
  }, 500);
});
