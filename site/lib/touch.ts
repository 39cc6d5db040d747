/** Whether the screen is used with a finger; false during server rendering. */
export const hasTouch = (): boolean =>
  typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches;
