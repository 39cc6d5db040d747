import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pose } from './zoom.ts';
import { follow, keepInSight, rotate, toggleZoom, UPRIGHT, zoomBy } from './zoom.ts';

const test = suite('preview zoom');
const steps = (count: number): Pose =>
  Array.from({ length: Math.abs(count) }).reduce<Pose>((pose) => zoomBy(pose, Math.sign(count)), UPRIGHT);

test('zoom goes by quarters from 0.25 to 3 and stops there', () => {
  assert.is(steps(1).zoom, 1.25);
  assert.is(steps(50).zoom, 3);
  assert.is(steps(-50).zoom, 0.25);
});

test('the point under the pointer stays under it', () => {
  const at = { x: 120, y: -40 };
  const before = { ...UPRIGHT, x: 30, y: 10 };
  const after = zoomBy(before, 4, at);
  const pointOf = (pose: Pose) => [(at.x - pose.x) / pose.zoom, (at.y - pose.y) / pose.zoom];
  assert.equal(pointOf(after), pointOf(before));
});

test('two fingers zoom around what is between them, and carry it along', () => {
  const before = [
    { x: -50, y: 0 },
    { x: 50, y: 0 },
  ];
  const apart = [
    { x: -80, y: 10 },
    { x: 120, y: 10 },
  ];
  assert.equal(follow(UPRIGHT, before, apart), { ...UPRIGHT, zoom: 2, x: 20, y: 10 });
  const far = apart.map(({ x, y }) => ({ x: x * 9, y: y * 9 }));
  assert.is(follow(UPRIGHT, before, far).zoom, 3, 'within the limits');
  assert.is(follow({ ...UPRIGHT, zoom: 0.5 }, apart, before).zoom, 0.25);
});

test('one finger drags, and fingers on one spot zoom nothing', () => {
  assert.equal(follow(UPRIGHT, [{ x: 1, y: 1 }], [{ x: 4, y: 6 }]), { ...UPRIGHT, x: 3, y: 5 });
  const spot = { x: 5, y: 5 };
  assert.is(follow(UPRIGHT, [spot, spot], [spot, { x: 9, y: 9 }]).zoom, 1);
});

test('a double tap goes to the point that was hit, and back without turning the picture', () => {
  const turned = rotate(UPRIGHT, 1);
  const near = toggleZoom(turned, { x: 100, y: -40 });
  assert.equal(near, { ...turned, zoom: 2, x: -100, y: 40 });
  assert.equal(toggleZoom(near, { x: 0, y: 0 }), turned);
});

test('four quarters are a whole turn, either way', () => {
  assert.is(rotate(UPRIGHT, 1).rotation, 90);
  assert.is(rotate(UPRIGHT, -1).rotation, 270);
  assert.is([1, 1, 1, 1].reduce(rotate, UPRIGHT).rotation, 0);
});

test('a picture can not be pushed out of sight', () => {
  const room = { width: 800, height: 600 };
  const picture = { width: 400, height: 600 };
  assert.equal(keepInSight({ ...UPRIGHT, zoom: 2, x: 9000, y: -9000 }, picture, room), {
    zoom: 2,
    rotation: 0,
    x: 0,
    y: -300,
  });
  assert.is(keepInSight({ ...UPRIGHT, zoom: 2, rotation: 90, x: 9000, y: 0 }, picture, room).x, 200);
});

test.run();
