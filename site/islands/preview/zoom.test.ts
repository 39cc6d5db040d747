import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pose } from './zoom.ts';
import { follow, keepInSight, rotate, toggleZoom, UPRIGHT, zoomBy } from './zoom.ts';

const test = suite('zoom of a preview');
const steps = (count: number): Pose =>
  Array.from({ length: Math.abs(count) }).reduce<Pose>((pose) => zoomBy(pose, Math.sign(count)), UPRIGHT);

test('zoom changes by steps of 0.25, from 0.25 to 3', () => {
  assert.is(steps(1).zoom, 1.25);
  assert.is(steps(50).zoom, 3);
  assert.is(steps(-50).zoom, 0.25);
});

test('zooming keeps the point under the pointer in place', () => {
  const point = { x: 120, y: -40 };
  const before = { ...UPRIGHT, x: 30, y: 10 };
  const after = zoomBy(before, 4, point);
  const pointOf = (pose: Pose) => [(point.x - pose.x) / pose.zoom, (point.y - pose.y) / pose.zoom];
  assert.equal(pointOf(after), pointOf(before));
});

test('two fingers zoom around the point between them, and move it', () => {
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
  assert.is(follow(UPRIGHT, before, far).zoom, 3, 'within the limits of zooming');
  assert.is(follow({ ...UPRIGHT, zoom: 0.5 }, apart, before).zoom, 0.25);
});

test('one finger moves the picture, and two fingers that start on the same point do not zoom', () => {
  assert.equal(follow(UPRIGHT, [{ x: 1, y: 1 }], [{ x: 4, y: 6 }]), { ...UPRIGHT, x: 3, y: 5 });
  const spot = { x: 5, y: 5 };
  assert.is(follow(UPRIGHT, [spot, spot], [spot, { x: 9, y: 9 }]).zoom, 1);
});

test('a double tap zooms in on the tapped point, a second one zooms out, and the rotation stays', () => {
  const turned = rotate(UPRIGHT, 1);
  const near = toggleZoom(turned, { x: 100, y: -40 });
  assert.equal(near, { ...turned, zoom: 2, x: -100, y: 40 });
  assert.equal(toggleZoom(near, { x: 0, y: 0 }), turned);
});

test('rotation goes by quarter turns in both directions, and stays below 360 degrees', () => {
  assert.is(rotate(UPRIGHT, 1).rotation, 90);
  assert.is(rotate(UPRIGHT, -1).rotation, 270);
  assert.is([1, 1, 1, 1].reduce(rotate, UPRIGHT).rotation, 0);
});

test('a picture cannot be moved out of sight', () => {
  const viewport = { width: 800, height: 600 };
  const picture = { width: 400, height: 600 };
  assert.equal(keepInSight({ ...UPRIGHT, zoom: 2, x: 9000, y: -9000 }, picture, viewport), {
    zoom: 2,
    rotation: 0,
    x: 0,
    y: -300,
  });
  assert.is(keepInSight({ ...UPRIGHT, zoom: 2, rotation: 90, x: 9000, y: 0 }, picture, viewport).x, 200);
});

test.run();
