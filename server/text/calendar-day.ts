/** Whether a day like `2026-02-28` is in the calendar: `Date.parse` takes 30 February for 2 March. */
export function isCalendarDay(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === day;
}
