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
