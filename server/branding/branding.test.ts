import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import sharp from 'sharp';
import { newLink, recipient } from '../sharing/testing/recipient.ts';
import type { World } from '../testing/world.ts';
import { freshWorld } from '../testing/world.ts';

const test = suite<World>('the logo of a firm');

test.before.each(async (world) => {
  Object.assign(world, await freshWorld());
});
test.after.each(async (world) => {
  world.services.previews.stop();
  await world.close();
});

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"><rect width="900" height="300" fill="#2355c5"/>
  <circle cx="150" cy="150" r="90" fill="#fff"/></svg>`;

test('a logo is converted to a small PNG, shown to recipients of links and attached to their e-mails', async (world) => {
  const { services, build, deliverMail } = world;
  const address = await world.serve();
  const asha = await build.account();
  const { url } = await services.branding.set(asha.actor, Buffer.from(SVG));
  const shown = await fetch(address + url);
  assert.is(shown.headers.get('content-type'), 'image/png');
  const { format, width, height } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
  assert.equal([format, width, height], ['png', 384, 128]);

  const { id } = await build.file(asha.actor, { name: 'a.txt' });
  const made = await services.sharing.links.make(asha.actor, newLink([id]));
  const page = await recipient(world, address, made.url).page();
  assert.is(page.state === 'open' && page.head.logo, url);
  await services.sharing.links.send(asha.actor, made.share.id, { url: made.url, emails: ['p@s.in'] });
  const email = (await deliverMail()).find(({ kind }) => kind === 'share.link')!;
  const [attached] = email.attachments;
  assert.match(email.html, `src="cid:${attached!.cid}"`);
  assert.not.match(email.html, /src="(?!cid:)/, 'nothing tells when it is read');
  assert.is((await sharp(attached!.content).metadata()).format, 'png');

  const { sealed_image } = await world.db('firm_logos').first();
  assert.not.match(sealed_image.toString('latin1'), 'PNG', 'it lies sealed');
  await services.branding.remove(asha.actor);
  assert.is((await fetch(address + url)).status, 404);
});

test('logos that are uploaded at the same time are each stored as uploaded, since recipients would see the name of another firm', async (world) => {
  const { services, build } = world;
  const address = await world.serve();
  const [asha, vikram] = [await build.account(), await build.account()];
  const set = ({ actor }: typeof asha, fill: string) =>
    services.branding.set(actor, Buffer.from(SVG.replace('#2355c5', fill)));
  await Promise.all([set(asha, '#f00'), set(vikram, '#0f0'), set(asha, '#00f')]);
  const colourOf = async ({ actor }: typeof asha) => {
    const shown = await fetch(address + (await services.branding.view(actor)).url);
    const { dominant } = await sharp(Buffer.from(await shown.arrayBuffer())).stats();
    return Object.entries(dominant).find(([, value]) => value > 200)?.[0];
  };
  assert.equal([await colourOf(asha), await colourOf(vikram)], ['b', 'g']);
});

test('a file that is not a picture, has another format or is too large is refused with a reason, and the current logo stays', async ({
  services,
  build,
}) => {
  const asha = await build.account();
  const { url } = await services.branding.set(asha.actor, Buffer.from(SVG));
  const gif = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .gif()
    .toBuffer();
  const huge = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="99999" height="99999"/>');
  for (const bytes of [Buffer.from('no picture'), Buffer.alloc(0), gif, huge])
    await services.branding.set(asha.actor, bytes).then(
      () => assert.unreachable(),
      (error) => assert.match(error.errors.file[0], /PNG, JPEG or SVG/),
    );
  assert.is((await services.branding.view(asha.actor)).url, url);
});

test.run();
