import type { HTTPRequest, Page } from 'puppeteer';

/** Holds requests whose URL contains the text, as a slow network would; the test continues them one by one or releases all. */
export async function holdRequests(page: Page, text: string) {
  const held: HTTPRequest[] = [];
  let holding = true;
  page.on('request', (request) => {
    if (holding && request.url().includes(text)) held.push(request);
    else void request.continue();
  });
  await page.setRequestInterception(true);
  return {
    held,
    async release(): Promise<void> {
      holding = false;
      for (const request of held) await request.continue();
    },
  };
}

/** What a server answers that gets too many requests. */
export const TOO_MANY = 'Too many requests. Please wait a moment.';

/** Refuses requests whose URL matches, with the message `TOO_MANY`, until the test ends that. */
export async function refuseRequests(page: Page, wanted: RegExp) {
  const state = { refused: 0, end: () => void (refusing = false) };
  let refusing = true;
  const body = JSON.stringify({ success: false, message: TOO_MANY });
  page.on('request', (request) => {
    if (!refusing || !wanted.test(request.url())) return void request.continue();
    state.refused += 1;
    return void request.respond({ status: 429, contentType: 'application/json', body });
  });
  await page.setRequestInterception(true);
  return state;
}
