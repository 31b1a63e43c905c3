// "14:02", as a clock shows it.

const FORMAT = new Intl.DateTimeFormat('en', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

export function timeOfDay(ms: number): string {
  return FORMAT.format(ms)
}
