// Times as they are stored: ISO 8601 in UTC.

export function secondsAfter(time: Date, seconds: number): string {
  return new Date(time.getTime() + seconds * 1000).toISOString()
}

export function secondsBefore(time: Date, seconds: number): string {
  return secondsAfter(time, -seconds)
}
