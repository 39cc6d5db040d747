import type { Page } from 'puppeteer';
import * as assert from 'uvu/assert';
import { openPage } from '#server/testing/browser.ts';
import { violations } from './axe.ts';
import { enterDrive, openByName, press } from './drive.ts';
import type { Office } from './office.ts';
import { officeSuite, waitForText } from './office.ts';

const test = officeSuite('drive video');

/** A video of two seconds of a moving square, recorded by the browser. */
async function recordVideo(office: Office): Promise<Buffer> {
  const page = await openPage(office.browser);
  await page.goto(`${office.url}/login`);
  const digits = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 160;
    canvas.height = 90;
    const context = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' });
    const parts: Blob[] = [];
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
    recorder.start();
    for (let step = 0; step < 50; step += 1) {
      context?.clearRect(0, 0, 160, 90);
      context?.fillRect(step * 2, 20, 40, 40);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    recorder.stop();
    await stopped;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  });
  await page.browserContext().close();
  return Buffer.from(digits, 'hex');
}

/** The length of an EBML number, and its value. */
function ebmlNumber(bytes: Buffer, offset: number): { length: number; value: number } {
  const length = Math.clz32(bytes[offset]!) - 23;
  const rest = bytes.subarray(offset + 1, offset + length);
  return {
    length,
    value: [...rest].reduce((sum, byte) => sum * 256 + byte, bytes[offset]! & (0xff >> length)),
  };
}

/** Inserts unused bytes in the middle of a recorded video, which a browser skips by another request. */
function withGap(video: Buffer, bytes: number): Buffer {
  const cluster = video.indexOf('1f43b675', 'hex') + 4;
  let offset = cluster + ebmlNumber(video, cluster).length;
  while (offset < video.length / 2) {
    const { length, value } = ebmlNumber(video, offset + 1);
    offset += 1 + length + value;
  }
  const gap = Buffer.alloc(bytes);
  gap[0] = 0xec;
  gap.writeUIntBE(bytes - 9, 3, 6);
  gap[1] = 0x01;
  return Buffer.concat([video.subarray(0, offset), gap, video.subarray(offset)]);
}

const time = (page: Page) => page.$eval('video', (video) => video.currentTime);
const waitForVideo = (page: Page, wanted: (video: HTMLVideoElement) => boolean) =>
  page.waitForFunction(`(${wanted})(document.querySelector('video'))`, { polling: 100 });

test('our own controls play, pause, mute and speed up a video, by mouse and by key', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Stock count.webm', content: await recordVideo(office) });
  await enterDrive(office);
  await openByName(page, 'Stock count.webm');
  await page.waitForSelector('video');
  assert.is(
    await page.$eval('video', (video) => video.controls),
    false,
    "the browser's own controls are off",
  );

  await page.locator('[aria-label="Play"]').click();
  await waitForVideo(page, (video) => video.currentTime > 0.1);
  await press(page, 'Escape');
  await openByName(page, 'Stock count.webm');
  await page.waitForSelector('video');
  await press(page, 'Space');
  await waitForVideo(page, (video) => video.currentTime > 0.1);
  await press(page, 'Space');
  await waitForVideo(page, (video) => video.paused);
  const stopped = await time(page);
  await waitForText(page, '0:0');

  await page.locator('[aria-label="Sound off"]').click();
  await waitForVideo(page, (video) => video.muted);
  await page.locator('[aria-label^="Speed 1,"]').click();
  await waitForVideo(page, (video) => video.playbackRate === 1.25);
  assert.is(await time(page), stopped, 'muting and changing the speed do not start the video again');
  assert.equal(await violations(page), []);
});

test('a video that is watched for longer than its link is valid plays on to its end', async (office) => {
  const { page, world, asha } = office;
  const content = withGap(await recordVideo(office), 48 * 1024 * 1024);
  await world.build.file(asha.actor, { name: 'Hearing.webm', content });
  await enterDrive(office);
  // The link ends before the browser asks for what is behind the gap, however early it does so.
  let expired = false;
  page.on('request', (request) => {
    const behindGap = request.resourceType() === 'media' && request.headers()['range'] !== 'bytes=0-';
    if (behindGap && !expired) {
      expired = true;
      world.advance(6 * 60_000);
    }
    void request.continue();
  });
  await page.setRequestInterception(true);
  const refused = page.waitForResponse((response) => response.status() === 403);
  await openByName(page, 'Hearing.webm');
  await page.locator('[aria-label="Play"]').click();
  await refused;
  await waitForVideo(page, (video) => video.ended);
});

test('a file that is no video says so, and offers Retry and Download', async (office) => {
  const { page, world, asha } = office;
  await world.build.file(asha.actor, { name: 'Broken.mp4', content: 'no video' });
  await enterDrive(office);
  await openByName(page, 'Broken.mp4');
  await waitForText(page, 'Failed to load video');
  await waitForText(page, 'Retry');
  await waitForText(page, 'Download');
});

test.run();
