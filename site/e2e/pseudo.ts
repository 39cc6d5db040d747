import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'puppeteer';
import { builtSite } from '#server/testing/browser.ts';

const ROOT = join(import.meta.dirname, '../..');
const FOLDER = join(ROOT, 'dist-en-XA');

let built: Promise<unknown> | undefined;

/** The site in the pseudo-language en-XA (site/messages/pseudo.ts), built once for all tests of a file. */
export async function pseudoSite() {
  const astro = join(ROOT, 'node_modules/astro/bin/astro.mjs');
  built ??= promisify(execFile)(process.execPath, [astro, 'build', '--silent', '--outDir', FOLDER], {
    cwd: ROOT,
    env: { ...process.env, PAGES_LANGUAGE: 'en-XA' },
  });
  await built;
  return builtSite(FOLDER);
}

/** Parts of dates, times and sizes, which are not translated. */
const FIGURES =
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b|\b[AP]M\b|\b[KMGT]?B\b/g;

/**
 * The texts of the page, names for screen readers included, that are in plain English: in the pseudo-language all vowels
 * have accents. `except` lists texts that may be English: what users typed, names, and texts of the server.
 */
export async function untranslated(page: Page, except: readonly (string | RegExp)[]): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const texts: string[] = [document.title];
    for (const element of document.body.querySelectorAll('*')) {
      // Left out: names of keys, and the visible halves of a shortened name, whose whole text is there for screen readers.
      if (element.closest('script, style, noscript, kbd, [slot=keyboard], [dir=auto][title] > [aria-hidden]'))
        continue;
      for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt']) {
        const value = element.getAttribute(name);
        if (value && element.checkVisibility()) texts.push(`${name}: ${value}`);
      }
      for (const node of element.childNodes) {
        if (node.nodeType === Node.TEXT_NODE && element.checkVisibility()) texts.push(node.nodeValue ?? '');
      }
    }
    return texts;
  });
  const withoutExceptions = (text: string) =>
    except
      .reduce<string>(
        (rest, exception) =>
          rest.replaceAll(
            typeof exception === 'string' ? exception : new RegExp(exception, `${exception.flags}g`),
            '',
          ),
        text,
      )
      .replace(/^(?:aria-label|aria-description|title|placeholder|alt): /, '')
      .replaceAll(FIGURES, '');
  return [...new Set(texts.filter((text) => /[aeiou]/i.test(withoutExceptions(text))))];
}

/** Finds a page wider than its window, and controls whose text is cut off or sticks out. */
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
      // Text of users (without accents) may be cut off; so may text for screen readers only.
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
          const excess = Math.max(
            text.right - edge.right,
            edge.left - text.left,
            text.bottom - edge.bottom - 2,
          );
          if (excess > 1.5 && getComputedStyle(box).display !== 'inline') {
            found.push(
              `${control.tagName.toLowerCase()} "${node.nodeValue}" is ${Math.round(excess)} px too long`,
            );
            break;
          }
        }
        if (box === control) break;
      }
    }
    return found;
  });
}
