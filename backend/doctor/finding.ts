// What the doctor says of one thing: a line with its level and, unless all is well, what to do.

export type Level = 'ok' | 'warning' | 'fault'
export type Finding = { level: Level; about: string; text: string }

const LEVEL_WIDTH = 8
const ABOUT_WIDTH = 12
const NAMES_SHOWN = 5

export function ok(about: string, text: string): Finding {
  return { level: 'ok', about, text }
}

/** @param todo what to do about it */
export function warning(about: string, text: string, todo: string): Finding {
  return { level: 'warning', about, text: `${text}: ${todo}` }
}

/** @param todo what to do about it */
export function fault(about: string, text: string, todo: string): Finding {
  return { level: 'fault', about, text: `${text}: ${todo}` }
}

function inOneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
}

export function showFinding({ level, about, text }: Finding): string {
  return `${level.padEnd(LEVEL_WIDTH)}${about.padEnd(ABOUT_WIDTH)}${inOneLine(text)}`
}

/** A few names, and how many more there are. */
export function showNames(names: string[]): string {
  const more = names.length - NAMES_SHOWN
  return names.slice(0, NAMES_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** The line of an error, with what caused it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own = error.message || ('code' in error ? String(error.code) : error.name)
  return error.cause === undefined ? own : `${own} (${reasonOf(error.cause)})`
}
