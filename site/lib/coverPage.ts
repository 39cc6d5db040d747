let covers = 0;

/**
 * Hides the page and every dialog except those with `data-cover`, until the returned function was called as often as this one.
 * By an attribute, since a rule on `body:has(…)` has the browser style the whole page again at every menu, dialog and list of options.
 */
export function coverPage(): () => void {
  covers += 1;
  document.documentElement.toggleAttribute('data-covered', true);
  return () => {
    covers -= 1;
    document.documentElement.toggleAttribute('data-covered', covers > 0);
  };
}
