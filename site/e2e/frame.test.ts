import type { Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { load, signIn } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import type { Office } from './office.ts';
import { ASHA, officeSuite, waitForText } from './office.ts';

const test = officeSuite('the frame around the screens');

/** Each screen with its name in the sidebar and its main actions. */
const SCREENS = [
  { path: '/dashboard', name: 'Dashboard', main: ['New'] },
  { path: '/documents', name: 'Documents', main: ['Refresh'] },
  { path: '/clients', name: 'Clients', main: ['New Client', 'Import', 'Export', 'Refresh'] },
  { path: '/recent', name: 'Recent Files', main: ['Refresh'] },
  { path: '/filing', name: 'Organise', main: ['Refresh'] },
  { path: '/review', name: 'Review', main: [] },
  { path: '/requests', name: 'Requests', main: ['Ask for documents', 'Refresh'] },
  { path: '/shared', name: 'Shared', main: ['Refresh'] },
  { path: '/trash', name: 'Trash', main: ['Refresh'] },
  { path: '/retention', name: 'Retention', main: ['Refresh'] },
  { path: '/storage', name: 'Storage', main: ['Refresh'] },
  { path: '/subscription-plans', name: null, main: ['Start Trial'] },
  { path: '/history', name: 'History', main: ['Export these', 'Refresh'] },
  { path: '/team', name: 'Team', main: ['Invite people'] },
  { path: '/settings', name: 'Settings', main: [] },
  { path: '/help', name: 'Help', main: [] },
] as const;
const SIZES = [
  [1366, 768],
  [768, 1024],
  [390, 844],
] as const;

interface Measures {
  title: string;
  tab: string;
  left: number;
  bodyLeft: number;
  fontSize: string;
  top: number;
  wide: number;
  gutter: string;
  /** How many pixels the content of the list ends before the bar above it, on the right. */
  missingRight: number;
}

const measure = (page: Page): Promise<Measures> =>
  page.evaluate(() => {
    const h1 = document.querySelector<HTMLElement>('main h1')!;
    const column = document.querySelector<HTMLElement>('.screen-column')!;
    const contentRight = (element: HTMLElement) =>
      element.getBoundingClientRect().left +
      element.clientWidth -
      Number.parseFloat(getComputedStyle(element).paddingRight);
    // On a phone all of a client's page scrolls.
    let scroller = column.parentElement!;
    while (getComputedStyle(scroller).overflowY === 'visible') scroller = scroller.parentElement!;
    return {
      missingRight:
        contentRight(document.querySelector<HTMLElement>('.screen-head')!) -
        contentRight(column.parentElement!),
      title: h1.innerText,
      tab: document.title,
      left: h1.getBoundingClientRect().left,
      bodyLeft: column.getBoundingClientRect().left,
      fontSize: getComputedStyle(h1).fontSize,
      top: h1.getBoundingClientRect().top,
      wide: document.documentElement.scrollWidth,
      gutter: getComputedStyle(scroller).scrollbarGutter,
    };
  });

const CLIENT = 'Sharma Traders';
/** All screens, with the page of a client and that of shared files, which are not in the sidebar. */
async function screensOf({ world, asha }: Office) {
  const id = await world.build.client(asha.actor, CLIENT);
  const main = ['Upload', 'New Folder', 'Files', 'More actions'];
  return [
    ...SCREENS,
    { path: `/clients/${id}`, name: CLIENT, main },
    { path: '/share', name: 'Shared from this phone', main: [] },
  ];
}

/** The measures of a screen at one width, and which of its main actions the toast covers. */
interface Visit {
  path: string;
  name: string | null;
  measures: Measures;
  covered: string[];
}
let visits: Map<number, Visit[]> | undefined;

/** Loads each screen once, with a toast, and measures it at each size, since loading takes most of the time of these tests. */
async function visitAll(office: Office): Promise<Map<number, Visit[]>> {
  if (visits) return visits;
  const { page, url } = office;
  visits = new Map(SIZES.map(([width]) => [width, []]));
  await signIn(page, url, ASHA, '/storage');
  for (const { path, name, main } of await screensOf(office)) {
    // The next page shows the toast that is in the session storage, as after a payment.
    await page.evaluate(() =>
      sessionStorage.setItem(
        'flash',
        JSON.stringify({
          title: 'Saved',
          description: 'With two lines about what was saved, and where it can be found.',
          duration: 60_000,
        }),
      ),
    );
    await load(page, url + path);
    for (const [width, height] of SIZES) {
      await page.setViewport({ width, height });
      await page.waitForSelector('[data-sonner-toast][data-mounted=true]');
      await page.waitForFunction(
        (wide) =>
          innerWidth === wide && document.querySelector('[data-sonner-toast]')!.getAnimations().length === 0,
        {},
        width,
      );
      const measures = await measure(page);
      visits.get(width)!.push({ path, name, measures, covered: await coveredOf(page, main) });
    }
  }
  return visits;
}

/** The main actions that cannot be clicked because something covers them. */
const coveredOf = (page: Page, main: readonly string[]): Promise<string[]> =>
  page.evaluate(
    (wanted) => {
      const controls = [...document.querySelectorAll<HTMLElement>('main button, main a')];
      return wanted.filter((label) => {
        const control = controls.find(
          (candidate) =>
            (candidate.ariaLabel ?? candidate.textContent ?? '').trim().startsWith(label) &&
            candidate.checkVisibility({ visibilityProperty: true }),
        );
        // On a phone Import and Export are in a menu.
        if (!control) return innerWidth > 400;
        control.scrollIntoView({ block: 'nearest' });
        const box = control.getBoundingClientRect();
        return ![
          [box.left + 6, box.top + 6],
          [box.right - 6, box.top + 6],
          [box.left + box.width / 2, box.bottom - 6],
        ].every(([x = 0, y = 0]) => control.contains(document.elementFromPoint(x, y)));
      });
    },
    [...main],
  );

for (const [width] of SIZES) {
  test(`all screens have the same left edge and size of title, so that nothing moves between screens (${width} px)`, async (office) => {
    const measured = (await visitAll(office)).get(width)!.map(({ measures }) => measures);
    const valuesOf = (key: keyof Measures) => [...new Set(measured.map((measures) => measures[key]))];
    assert.is(valuesOf('left').length, 1, `titles begin at ${valuesOf('left').join()}`);
    assert.equal(valuesOf('bodyLeft'), valuesOf('left'), 'the content below begins there too');
    assert.equal(valuesOf('fontSize'), ['20px']);
    assert.is(valuesOf('top').length, 1, `titles stand at ${valuesOf('top').join()}`);
    assert.equal(valuesOf('gutter'), ['stable'], 'a scrollbar that appears moves nothing');
    assert.equal(
      valuesOf('missingRight'),
      [0],
      'lists end where the bars above them do, beside the scrollbar',
    );
    assert.equal(valuesOf('wide'), [width], 'nothing is wider than the screen');
  });

  test(`a toast covers no main action, since it stays while the pointer is on it (${width} px)`, async (office) => {
    for (const { path, covered } of (await visitAll(office)).get(width)!) assert.equal(covered, [], path);
  });
}

test('a screen has the same name in the sidebar, its title and its tab, and the sidebar shows it under the icon', async (office) => {
  const { page, url } = office;
  await signIn(page, url, ASHA);
  const names = await page.$$eval('.sidebar nav a', (links) =>
    links.map((link) => {
      const label = link.querySelector<HTMLElement>('.nav-label')!;
      const [icon, text] = [
        link.querySelector('svg')!.getBoundingClientRect(),
        label.getBoundingClientRect(),
      ];
      const inside = text.top >= icon.bottom && text.right <= link.getBoundingClientRect().right;
      return inside && label.checkVisibility({ opacityProperty: true }) ? label.innerText : '';
    }),
  );
  assert.equal(
    names,
    SCREENS.flatMap(({ name }) => name ?? []),
  );
  for (const { name, measures } of (await visitAll(office)).get(1366)!) {
    if (!name) continue;
    assert.ok(measures.title.startsWith(name), `${measures.title} is ${name}`);
    assert.ok(measures.tab.startsWith(name), `${measures.tab} is ${name}`);
  }
});

test('every entry of the sidebar is fully visible on an office screen, collapsed or not, since nobody finds an entry that is cut off', async (office) => {
  const { page, url } = office;
  await signIn(page, url, ASHA, '/help');
  for (const state of ['closed', 'open'])
    for (const height of [1024, 800, 768, 650, 607]) {
      await page.setViewport({ width: 1366, height });
      const cut = await page.evaluate((sidebar) => {
        document.documentElement.dataset.sidebar = sidebar;
        const list = document.querySelector('.sidebar nav')!.getBoundingClientRect();
        return [...document.querySelectorAll<HTMLElement>('.sidebar nav a, .sidebar button')].flatMap(
          (entry) => {
            const box = entry.getBoundingClientRect();
            const end = entry.matches('nav a') ? list.bottom : innerHeight;
            const label = [...entry.querySelectorAll('.nav-label, .user-short, .user-text')]
              .find((text) => text.checkVisibility() && text.clientWidth > 1)!
              .getBoundingClientRect();
            const inside = label.top >= box.top && label.bottom <= box.bottom && label.right <= box.right;
            return inside && box.top >= 0 && box.bottom <= end && box.height >= 24 ? [] : entry.innerText;
          },
        );
      }, state);
      assert.equal(cut, [], `${state}, ${height} px high`);
    }
});

test('on a phone the bottom bar takes the place of the sidebar, and screens for which it has no room are in the menu of the account', async (office) => {
  const { page, url } = office;
  await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
  await signIn(page, url, ASHA, '/help');
  const isShown = (selector: string) =>
    page.$eval(selector, (element) => getComputedStyle(element).display !== 'none');
  assert.is(await isShown('.sidebar'), false);
  assert.is(await isShown('.bottom-bar'), true);
  const bar = await page.$$eval('.bottom-bar a', (links) => links.map((link) => link.getAttribute('href')));
  await page.locator('.topbar button.size-11[aria-haspopup]').click();
  await page.waitForSelector('[role=menu] [href="/help"]');
  const menu = await page.$$eval('[role=menu] [href]', (links) =>
    links.map((link) => link.getAttribute('href')),
  );
  const missing = SCREENS.filter(({ path }) => !bar.includes(path) && !menu.includes(path));
  assert.equal(missing, []);
});

test('lists begin in the upper third of an office screen', async (office) => {
  const { page, url, world, asha } = office;
  await world.build.folder(asha.actor, 'Sharma Traders');
  await world.build.client(asha.actor, 'Sharma Traders');
  for (const name of ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf']) await world.build.file(asha.actor, { name });
  await signIn(page, url, ASHA);
  for (const path of ['/dashboard', '/documents', '/clients', '/recent']) {
    await load(page, url + path);
    const top = await page.$eval('main [data-id]', (row) => row.getBoundingClientRect().top);
    assert.ok(top <= 256, `the first row of ${path} begins at ${top}`);
  }
});

test('on a phone the filters are behind a button, so that the list has more room', async (office) => {
  const { page, url, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Form 16.pdf' });
  await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
  await signIn(page, url, ASHA, '/documents');
  const top = await page.$eval('main [data-id]', (row) => row.getBoundingClientRect().top);
  assert.ok(top < 200, `the first row begins at ${top}`);
  await page.locator('[aria-label=Filters][aria-expanded=false]').click();
  await waitForText(page, 'All types');
  assert.equal(await violations(page), []);
});

test.run();
