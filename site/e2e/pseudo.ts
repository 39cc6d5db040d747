import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'puppeteer';
import { builtSite } from '#server/testing/browser.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'dist-en-XA');

let built: Promise<unknown> | undefined;

/** The site in English in disguise (site/messages/pseudo.ts), built once for all tests of a file. */
export async function pseudoSite() {
  const astro = join(ROOT, 'node_modules/astro/bin/astro.mjs');
  built ??= promisify(execFile)(process.execPath, [astro, 'build', '--silent', '--outDir', FOLDER], {
    cwd: ROOT,
    env: { ...process.env, PAGES_LANGUAGE: 'en-XA' },
  });
  await built;
  return builtSite(FOLDER);
}

/** Dates, times and sizes, which are no texts. */
const FIGURES =
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b|\b[AP]M\b|\b[KMGT]?B\b/g;

/**
 * What of the page's texts, names for screen readers included, is in plain English: every text of ours wears its
 * vowels with accents. `except` are what users typed, names and what the server says; where they stand is no matter.
 */
export async function untranslated(page: Page, except: readonly (string | RegExp)[]): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [document.title];
    for (const element of document.body.querySelectorAll('*')) {
      // Keys have names, and a name cut in its middle stands there whole as well, for readers.
      if (element.closest('script, style, noscript, kbd, [slot=keyboard], [dir=auto][title] > [aria-hidden]'))
        continue;
      for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt']) {
        const value = element.getAttribute(name);
        if (value && element.checkVisibility()) found.push(`${name}: ${value}`);
      }
      for (const node of element.childNodes) {
        if (node.nodeType === Node.TEXT_NODE && element.checkVisibility()) found.push(node.nodeValue ?? '');
      }
    }
    return found;
  });
  const plain = (text: string) =>
    except
      .reduce<string>(
        (rest, one) => rest.replaceAll(typeof one === 'string' ? one : new RegExp(one, `${one.flags}g`), ''),
        text,
      )
      .replace(/^(?:aria-label|aria-description|title|placeholder|alt): /, '')
      .replaceAll(FIGURES, '');
  return [...new Set(texts.filter((text) => /[aeiou]/i.test(plain(text))))];
}

/** What has no room: a page wider than its window, and controls whose text they cut off or let stick out. */
export function overflowingTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth)
      found.push(`the page is ${scrollWidth} px wide, its window ${clientWidth}`);
    const range = document.createRange();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement!;
      const control = parent.closest(
        'button, a, label, summary, th, [role=button], [role=tab], [role=menuitem], [role=option], [role=columnheader]',
      );
      // What a user typed may be cut off; so may what only screen readers get.
      if (
        !control ||
        !/[áéíóú]/i.test(node.nodeValue ?? '') ||
        !parent.checkVisibility({ visibilityProperty: true })
      )
        continue;
      if (parent.closest('.sr-only') || parent.getBoundingClientRect().width <= 1) continue;
      range.selectNodeContents(node);
      const text = range.getBoundingClientRect();
      for (let box: Element = parent; ; box = box.parentElement!) {
        const edge = box.getBoundingClientRect();
        const { overflowX, textOverflow } = getComputedStyle(box);
        // A link in a list or a path may end in an ellipsis; a button may not.
        if (textOverflow === 'ellipsis' && control.tagName === 'A') break;
        const clips = overflowX !== 'visible';
        if (box === control || clips) {
          const over = Math.max(
            text.right - edge.right,
            edge.left - text.left,
            text.bottom - edge.bottom - 2,
          );
          if (over > 1.5 && getComputedStyle(box).display !== 'inline') {
            found.push(`${control.tagName.toLowerCase()} "${node.nodeValue}" is ${Math.round(over)} px over`);
            break;
          }
        }
        if (box === control) break;
      }
    }
    return found;
  });
}
